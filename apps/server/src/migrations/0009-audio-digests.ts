import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The server computes the digests of the audio that it stores, and notices audio that its store lost. Digests
 * from before were announced by phones; those of older audio are computed by the job "inspect-audio".
 * Settings from before count as changed long ago.
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
