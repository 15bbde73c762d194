import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Sets the restore times of recordings that were restored before this migration, because their age is counted from
 * then. Registers contain the client flag with escaped characters, so this compares the values in the operations
 * instead.
 */
export async function setRestoreTimes(db: Kysely<never>): Promise<void> {
  await sql`update recordings set restored_at = restored.at
    from (
      select account_id, value ->> 'recording' as client_flag, max(created_at) as at from operations
      where type = 'recording.recover' and outcome = 'applied' and value is not null
      group by account_id, value ->> 'recording'
    ) as restored
    where recordings.account_id = restored.account_id and recordings.client_flag = restored.client_flag`.execute(
    db,
  );
}
