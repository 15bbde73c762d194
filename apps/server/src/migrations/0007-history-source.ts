import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What was transcribed is told with what made it, a call or a note. Recordings that are gone count as notes. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table transcription_history add column source int not null default 0`.execute(db);
  await sql`update transcription_history history set source = recordings.source
    from recordings where recordings.id = history.recording_id`.execute(db);
}
