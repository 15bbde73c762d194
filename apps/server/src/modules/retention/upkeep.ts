import { limits } from '@linnet/contract/limits';
import { dayMs } from '../../calendar.ts';
import type { Database } from '../../db/database.ts';

/** Deletes the records of old runs, without affecting the recordings. Returns the number of deleted runs. */
export async function deleteOldRuns(db: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('retention_runs')
    .where('started_at', '<=', new Date(now.getTime() - limits.retention.runDays * dayMs))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
