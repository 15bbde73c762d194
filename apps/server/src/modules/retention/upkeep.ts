import { limits } from '@linnet/contract/limits';
import { dayMs } from '../../calendar.ts';
import type { Database } from '../../db/database.ts';

/** Forgets what retention rules moved too long ago. The recordings aren't affected. Returns the number of runs. */
export async function deleteOldRuns(db: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('retention_runs')
    .where('started_at', '<=', new Date(now.getTime() - limits.retention.runDays * dayMs))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
