import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds waveforms for phones without the audio. Older recordings get one with their next transcription. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column peaks text not null default ''`.execute(db);
}
