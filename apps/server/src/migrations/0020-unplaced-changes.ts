import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the owner's changes to earlier transcripts that couldn't be placed in the latest one, and the revision at which
 * a transcript was stored. It's null for existing transcripts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column unplaced jsonb not null default '[]'`.execute(db);
  await sql`alter table tasks add column transcript_rev bigint`.execute(db);
}
