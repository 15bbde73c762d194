import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the order in which tasks of different accounts run, and the index of active tasks that it is computed from. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table tasks add column turn integer not null default 0`,
    sql`create index tasks_under_way on tasks (turn) include (account_id) where status in (0, 1)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
