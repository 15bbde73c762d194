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

/** Returns the statement that saves the transcribed text of paragraphs before an edit. */
export function storeOriginalStatement(where: string, values: readonly SqlValue[]): Statement {
  return [
    `update paragraph set original = coalesce(original, ${recognizedTextSql('paragraph')}) ${where}`,
    [...values],
  ];
}
