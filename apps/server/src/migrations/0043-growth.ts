import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds indexes for statements that read all rows of a table, or all of an account, and what the deletion of the
 * history of erased recordings needs.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    // Counting the pages of the list must not read the recordings themselves.
    sql`create index recordings_page on recordings (account_id, recorded_at desc, id desc)
      include (is_del, is_archived)`,
    // The quota is checked before each upload, and proposed names are computed again after each permanent deletion.
    sql`create index recordings_stored on recordings (account_id) include (file_size)
      where object_key is not null and lost_at is null`,
    sql`create index recordings_proposals on recordings (account_id) where proposals <> '{}'`,
    sql`create index upload_leaves_account on upload_leaves (account_id)`,
    sql`create index minute_charges_account on minute_charges (account_id)`,
    sql`create index feedback_account on feedback (account_id)`,
    sql`create index tasks_audio on tasks (audio_key) where audio_key is not null`,
    sql`create index accounts_avatar on accounts (avatar) where avatar is not null`,
    sql`create index feedback_log on feedback (log_key) where log_key is not null`,
    sql`create index transcription_history_recording on transcription_history (recording_id)
      where recording_id is not null`,
    sql`create index transcription_history_erased on transcription_history (updated_at)
      where recording_id is null`,
    // Last, because it blocks reads of the table until the end of the transaction.
    sql`drop index recordings_list`,
  ];
  for (const statement of statements) await statement.execute(db);
}
