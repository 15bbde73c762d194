/** Keeps the current names of speakers in the summaries on the phone. */
import type { MindNode, SummaryDocument } from '@linnet/contract';
import { nameSpeakers, type Summary } from '@linnet/contract/speaker-references';
import { json, orNull, text, textOrNull } from '../columns.ts';
import type { SqlDatabase, SqlRow, Statement } from '../database.ts';
import { isNamingColumn, type NamingColumn, namingColumns } from './schema.ts';

/** Recordings named per step. A step takes a few milliseconds. */
const STEP_RECORDS = 20;

/**
 * Returns the SQL expression that selects a column of `record` for display, with the current names of the speakers, under
 * the column's name. Everything that reaches a reader is selected with it.
 */
export function shownColumn(column: string): string {
  return isNamingColumn(column) ? `${shownSql(column)} as ${column}` : column;
}

/** Returns the SQL expression for a text with the current names of the speakers. */
export function shownSql(column: NamingColumn): string {
  const operator = namingColumns[column] === 'json' ? '->' : '->>';
  return `coalesce(named ${operator} '$.${column}', ${column})`;
}

/** Returns the statements that name the speakers in the next stale recordings. The caller must block other writes. */
export async function nameStep(database: SqlDatabase): Promise<Statement[]> {
  const rows = await database.query(
    `select id, results_task, speakers, ${Object.keys(namingColumns).join(', ')} from stale_names
     join record on record.id = record_id limit ${STEP_RECORDS}`,
  );
  const statements: Statement[] = [];
  for (const row of rows) {
    const id = text(row.id);
    const named = await nameRecord(database, row);
    statements.push(
      ['update record set named = ? where id = ? and named is not ?', [named, id, named]],
      ['delete from stale_names where record_id = ?', [id]],
    );
  }
  return statements;
}

/** Returns a recording's texts that change when its speakers are named, as JSON by column, or null if none does. */
async function nameRecord(database: SqlDatabase, row: SqlRow): Promise<string | null> {
  const document = orNull<SummaryDocument | null>(json)(row.summary_json);
  // Extractive summaries quote. Documents of an unknown version aren't shown.
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
    // A missing key stands for the text that the server sent.
    Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)),
  );
}
