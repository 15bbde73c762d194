import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the notes that the user typed before, during or after recording. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column notes jsonb not null default '[]'`.execute(db);
}
