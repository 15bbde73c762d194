import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the names and terms that the user added to a recording in progress. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table live_sessions add column words jsonb not null default '[]'`.execute(db);
}
