import type { Change, Paragraph } from '@linnet/contract';
import { isParagraphEdit } from '@linnet/contract/operations';
import { rebaseParagraph } from '@linnet/sync';
import { json, number, text } from '../columns.ts';
import type { SqlDatabase, SqlValue, Statement } from '../database.ts';
import { keptOriginalSql, originalSql } from '../originals.ts';
import { placeholders } from '../statements.ts';
import type { PendingOperations } from './pending.ts';

/**
 * Paragraphs per statement, in descending order. Only a few sizes, so that the statements stay prepared. Each row takes
 * eight values.
 */
const ROWS_PER_STATEMENT = [64, 8, 1] as const;

const rowSql = (original: string) => `(?, ?, ?, ?, ?, ?, ?, ?, ${original})`;

const upsertSql = (rows: string) => `insert into paragraph
     (task_id, ordinal, record_id, id, body, base, rev, uid, original)
   values ${rows}
   on conflict (task_id, ordinal) do update set original = ${originalSql},
     id = excluded.id, body = excluded.body, base = excluded.base, rev = excluded.rev
   where excluded.rev >= paragraph.rev`;

const upsertEdited = upsertSql(rowSql(keptOriginalSql));
const upserts = ROWS_PER_STATEMENT.map((count) => ({
  count,
  sql: upsertSql(Array(count).fill(rowSql('null')).join(', ')),
}));

/** Collects the rows of received paragraphs, and returns the statements that store them. */
export class ParagraphRows {
  readonly #uid: string;
  readonly #pending: PendingOperations;
  #waiting: (readonly SqlValue[])[] = [];

  constructor(uid: string, pending: PendingOperations) {
    this.#uid = uid;
    this.#pending = pending;
  }

  /** Adds a paragraph. @returns the statements to run now */
  add(id: string, change: Extract<Change, { kind: 'paragraph' }>): Statement[] {
    const { rev, task_id, ordinal, paragraph } = change;
    const { shown, confirmed } = serializeParagraph(id, paragraph, this.#pending);
    const row = [task_id, ordinal, id, paragraph.id, shown, confirmed, rev, this.#uid];
    // A paragraph that shows its transcribed text doesn't need a copy.
    const isEdited = paragraph.edited === true || confirmed !== null;
    if (!isEdited) {
      this.#waiting.push(row);
      return [];
    }
    // The transcribed text may come from a paragraph that was added earlier.
    return [...this.flush(), [upsertEdited, [...row, id, paragraph.id, task_id, id, paragraph.id]]];
  }

  /**
   * Returns the statements that store the paragraphs added so far. Run them before any statement that reads or deletes
   * paragraphs.
   */
  flush(): Statement[] {
    const statements: Statement[] = [];
    let start = 0;
    for (const { count, sql } of upserts) {
      for (; this.#waiting.length - start >= count; start += count) {
        statements.push([sql, this.#waiting.slice(start, start + count).flat()]);
      }
    }
    this.#waiting = [];
    return statements;
  }
}

/** Returns the statements that set the paragraphs of recordings to the confirmed state plus pending operations. */
export async function settleParagraphs(
  database: SqlDatabase,
  ids: readonly string[],
  pending: PendingOperations,
): Promise<Statement[]> {
  if (ids.length === 0) return [];
  const rows = await database.query(
    `select task_id, ordinal, record_id, base from paragraph
     where base is not null and record_id in (${placeholders(ids.length)})`,
    ids,
  );
  return rows.map((row) => {
    const base = json<Paragraph>(row.base);
    const { shown, confirmed } = serializeParagraph(text(row.record_id), base, pending);
    return [
      'update paragraph set body = ?, base = ? where task_id = ? and ordinal = ?',
      [shown, confirmed, text(row.task_id), number(row.ordinal)],
    ];
  });
}

/** Returns a paragraph as JSON: as displayed and, if operations are pending, as confirmed by the server. */
function serializeParagraph(
  id: string,
  base: Paragraph,
  operations: PendingOperations,
): { shown: string; confirmed: string | null } {
  const pendingEdits = operations.forRecording(id).filter(isParagraphEdit);
  const stored = JSON.stringify(base);
  return pendingEdits.some(({ paragraph }) => paragraph === base.id)
    ? { shown: JSON.stringify(rebaseParagraph(base, pendingEdits)), confirmed: stored }
    : { shown: stored, confirmed: null };
}
