/** Inserts the current names of speakers into the summaries on the phone. */
import type { MindNode, SummaryDocument } from '@linnet/contract';
import { nameSpeakers, type Summary } from '@linnet/contract/speaker-references';
import { json, orNull, text, textOrNull } from '../columns.ts';
import type { Transaction } from '../commits.ts';
import { type SqlDatabase, SqlError, type SqlRow, type Statement } from '../database.ts';
import { isNamingColumn, type NamingColumn, namingColumns } from './schema.ts';

/** Recordings updated per step while the app is idle. A step takes a few milliseconds. */
const STEP_RECORDS = 20;
/** Recordings updated per step after a change. Each step is a transaction that must be flushed to disk. */
const CHANGED_STEP_RECORDS = 100;

/**
 * Returns the statement that marks changed recordings with extractive summaries as current: these summaries quote the
 * transcript and name no speaker.
 */
export function markQuotingSummariesCurrent(records: readonly string[]): Statement {
  return [
    `delete from stale_names where record_id in (select value from json_each(?)) and exists (
       select 1 from record where id = record_id and named is null
         and iif(json_valid(summary_json), summary_json ->> '$.kind' is not 'generative', 0))`,
    [JSON.stringify(records)],
  ];
}

/**
 * Returns the SQL expression that selects a column of `record` for display, under the column's name and with the
 * current names of the speakers. Use it for all text that is shown or exported.
 */
export function shownColumn(column: string): string {
  return isNamingColumn(column) ? `${shownSql(column)} as ${column}` : column;
}

/** Returns the SQL expression for text with the current speaker names. */
export function shownSql(column: NamingColumn): string {
  const operator = namingColumns[column] === 'json' ? '->' : '->>';
  return `coalesce(named ${operator} '$.${column}', ${column})`;
}

/**
 * Returns the transaction that updates speaker names in the next stale recordings. The caller must block other writes.
 * If a summary can't be read, its recording keeps the server's texts.
 * @param records the recordings to consider, or null for all
 * @param onError called with the error for each summary that can't be read
 */
export async function insertNames(
  database: SqlDatabase,
  records: readonly string[] | null,
  onError: (error: unknown) => void,
): Promise<Transaction> {
  const rows = await database.query(
    `select id, results_task, speakers, ${Object.keys(namingColumns).join(', ')} from stale_names
     join record on record.id = record_id
     ${records ? 'where record_id in (select value from json_each(?))' : ''}
     limit ${records ? CHANGED_STEP_RECORDS : STEP_RECORDS}`,
    records ? [JSON.stringify(records)] : [],
  );
  const statements: Statement[] = [];
  for (const row of rows) {
    const id = text(row.id);
    let named: string | null = null;
    try {
      named = await getTextsWithNames(database, row);
    } catch (error) {
      if (error instanceof SqlError) throw error;
      onError(error);
    }
    statements.push(
      ['update record set named = ? where id = ? and named is not ?', [named, id, named]],
      ['delete from stale_names where record_id = ?', [id]],
    );
  }
  return { statements, records: rows.map(({ id }) => text(id)) };
}

/** Returns the texts that change with the speakers' names, as JSON by column, or null if none does. */
async function getTextsWithNames(database: SqlDatabase, row: SqlRow): Promise<string | null> {
  const document = orNull<SummaryDocument | null>(json)(row.summary_json);
  // Extractive summaries quote the transcript. The app doesn't show documents of an unknown version.
  if (document?.kind !== 'generative' || document.version !== 1) return null;
  const summary: Summary = {
    title: text(row.ai_title),
    brief: text(row.brief),
    summary: text(row.summary),
    keywords: json(row.keywords),
    document,
    mindMap: orNull<readonly MindNode[] | null>(json)(row.xmind_json),
    ownMindMap: orNull<readonly MindNode[] | null>(json)(row.mind_map),
  };
  const paragraphs = await database.query(
    `select id, body ->> '$.speaker' as speaker from paragraph where task_id = ?`,
    [textOrNull(row.results_task)],
  );
  const named = nameSpeakers(summary, {
    names: json(row.speakers),
    paragraphs: paragraphs.map(({ id, speaker }) => ({
      id: text(id),
      speaker: textOrNull(speaker),
    })),
  });
  if (named === summary) return null;
  const shown: { readonly [Column in NamingColumn]: unknown } = {
    ai_title: named.title,
    brief: named.brief,
    summary: named.summary,
    summary_json: named.document,
    keywords: named.keywords,
    xmind_json: named.mindMap,
    mind_map: named.ownMindMap,
  };
  return JSON.stringify(
    // A missing key means that the server's text applies.
    Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)),
  );
}
