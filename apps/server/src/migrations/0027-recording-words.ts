import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the names and terms that speech recognition looks for in one recording. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column words jsonb not null default '[]'`.execute(db);
}
