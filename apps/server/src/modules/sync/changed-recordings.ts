/** Finds the changed recordings of an account, for updating data derived from recordings. */
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';

/** An account's revisions after `from`, up to and including `to`. */
export interface RevisionRange {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the last revision whose rows fit on the page. Every page contains at least one revision. */
export async function endOfPage(
  queries: Queries,
  { accountId, from, to }: RevisionRange,
  pageRows: number,
): Promise<number> {
  const page = (table: 'recordings' | 'tasks' | 'paragraphs') => sql`(
    select rev from ${sql.table(table)} where account_id = ${accountId} and rev > ${from}
    order by rev limit ${pageRows + 1})`;
  const { rows } = await sql<{ rev: number }>`
    select rev from (${page('recordings')} union all ${page('tasks')} union all ${page('paragraphs')}) as changed
    order by rev limit ${pageRows + 1}`.execute(queries);
  const [first, next] = [rows[0], rows[pageRows]];
  if (first === undefined || next === undefined) return to;
  return Math.max(first.rev, next.rev - 1);
}

/**
 * Returns a query for the recordings that have changed, or whose tasks or paragraphs have changed, as rows with an `id`.
 * Without `to`, the range has no end.
 */
export function selectChanged({
  accountId,
  from,
  to,
}: Omit<RevisionRange, 'to'> & Partial<RevisionRange>) {
  const isInRange = (name: 'recordings' | 'tasks' | 'paragraphs') => {
    const table = sql.table(name);
    const end = to === undefined ? sql`` : sql`and ${table}.rev <= ${to}`;
    return sql`${table}.account_id = ${accountId} and ${table}.rev > ${from} ${end}`;
  };
  return sql<{ id: string }>`
    select id from recordings where ${isInRange('recordings')}
    union select recording_id from tasks where ${isInRange('tasks')}
    union select recording_id from paragraphs join tasks on tasks.id = paragraphs.task_id
      where ${isInRange('paragraphs')}`;
}

/** Returns the recordings that have changed, or whose tasks or paragraphs have changed. */
export async function changedRecordings(queries: Queries, range: RevisionRange): Promise<string[]> {
  const { rows } = await selectChanged(range).execute(queries);
  return rows.map(({ id }) => id);
}
