import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The order in which tasks of several accounts run; those under way are looked through at every new one. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table tasks add column turn integer not null default 0`,
    sql`create index tasks_under_way on tasks (turn) include (account_id) where status in (0, 1)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
