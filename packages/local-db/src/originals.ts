import type { SqlValue, Statement } from './database.ts';

/**
 * Returns an SQL expression for a paragraph's transcribed text as confirmed by the server. Its value is null if the
 * server's text was edited.
 * @param table the table or alias that contains the paragraph
 */
const recognizedTextSql = (table: string) => {
  const confirmed = `coalesce(${table}.base, ${table}.body)`;
  return `case when json_extract(${confirmed}, '$.edited') is null
    then json_extract(${confirmed}, '$.content') end`;
};

/**
 * An SQL expression for the transcribed text after upserting a paragraph. Its value is null if the phone never received
 * it.
 */
export const originalSql = `coalesce(${recognizedTextSql('excluded')}, paragraph.original, ${recognizedTextSql('paragraph')})`;

/**
 * An SQL expression for the transcribed text of a paragraph that is inserted with a new transcript and may be reused
 * from the previous one. Its placeholders are the record, the paragraph, the task of the new transcript, and the record
 * and paragraph again. Its value is null if the phone never received the text.
 */
export const keptOriginalSql = `coalesce(
  (select coalesce(earlier.original, ${recognizedTextSql('earlier')}) from paragraph as earlier
    where earlier.record_id = ? and earlier.id = ? and earlier.task_id <> ?),
  (select original from kept_original where record_id = ? and paragraph_id = ?))`;

/**
 * Returns the statement that keeps the transcribed texts of a replaced transcript. The new transcript may reuse its
 * paragraphs and arrives after it.
 */
export function keepOriginalsStatement(taskId: string): Statement {
  return [
    `insert into kept_original (record_id, paragraph_id, original)
     select record_id, id, coalesce(original, ${recognizedTextSql('paragraph')}) as text from paragraph
     where task_id = ? and text is not null and exists (select 1 from record where id = record_id)
     on conflict (record_id, paragraph_id) do nothing`,
    [taskId],
  ];
}

/** Returns the statement that discards kept texts once all of an account's changes have been received. */
export function discardKeptOriginalsStatement(uid: string): Statement {
  return [
    'delete from kept_original where record_id in (select id from record where uid = ?)',
    [uid],
  ];
}

/** Returns the statement that saves the transcribed text of paragraphs before an edit. */
export function storeOriginalStatement(where: string, values: readonly SqlValue[]): Statement {
  return [
    `update paragraph set original = coalesce(original, ${recognizedTextSql('paragraph')}) ${where}`,
    [...values],
  ];
}
