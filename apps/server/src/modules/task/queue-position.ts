import type { Transaction } from '../../db/database.ts';
import { activeStatuses } from './active-tasks.ts';

/**
 * The first position of bulk tasks. Ordinary positions stay below it: they restart at 0 when no ordinary task is
 * active.
 */
const FIRST_BULK_POSITION = 1_000_000_000;

/**
 * Returns the queue position (column `turn`) of an account's next task. Tasks run in ascending order of position. If
 * the account has active tasks, the new task gets the position after the last of them, otherwise the current position.
 * Accounts therefore take turns, no matter how many tasks each of them has. This is start-time fair queueing (Goyal et
 * al., 1996) with tasks of equal size.
 * @param isBulk true for background tasks, such as replacing drafts. They run after all ordinary tasks, and don't
 *   affect the positions of ordinary tasks
 */
export async function nextQueuePosition(
  trx: Transaction,
  accountId: string,
  isBulk = false,
): Promise<number> {
  const { current, latestOfAccount } = await trx
    .selectFrom('tasks')
    .select(({ fn }) => [
      fn.min('turn').as('current'),
      fn.max('turn').filterWhere('account_id', '=', accountId).as('latestOfAccount'),
    ])
    .where('status', 'in', activeStatuses)
    .where('turn', isBulk ? '>=' : '<', FIRST_BULK_POSITION)
    .executeTakeFirstOrThrow();
  const first = isBulk ? FIRST_BULK_POSITION : 0;
  return Math.max(current ?? first, latestOfAccount === null ? first : latestOfAccount + 1);
}
