import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the source, a call or a note, to the transcription history. Deleted recordings count as notes. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table transcription_history add column source int not null default 0`.execute(db);
  await sql`update transcription_history history set source = recordings.source
    from recordings where recordings.id = history.recording_id`.execute(db);
}
