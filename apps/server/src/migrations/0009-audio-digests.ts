import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds digests computed by the server, and the detection of lost audio. Phones reported the previous digests. The job
 * "inspect-audio" computes the digests of older audio. Existing settings count as changed long ago.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings
    add column audio_sha256 text,
    add column client_sha256 text,
    add column object_stored_at timestamptz,
    add column lost_at timestamptz`.execute(db);
  await sql`update recordings set client_sha256 = sha256`.execute(db);
  await sql`alter table settings
    add column changed_at timestamptz not null default 'epoch'`.execute(db);
}
