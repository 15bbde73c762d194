import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the user's changes to earlier transcripts that couldn't be applied to the latest transcript, and the revision at
 * which a transcript was stored (null for existing transcripts).
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column unplaced jsonb not null default '[]'`.execute(db);
  await sql`alter table tasks add column transcript_rev bigint`.execute(db);
}
