import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds whether a task replaces a draft with a better engine, which costs no minutes. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table tasks add column is_free boolean not null default false`.execute(db);
}
