import type { Transaction } from '../../db/database.ts';
import { activeStatuses } from './active-tasks.ts';

/**
 * Returns the queue position (column `turn`) of an account's next task. Tasks run in ascending order of position. If
 * the account has active tasks, the new one goes one position after the last of them, otherwise at the current
 * position. Accounts therefore take turns, no matter how many tasks each of them has. This is start-time fair queueing
 * (Goyal et al., 1996) with tasks of equal size.
 */
export async function nextQueuePosition(trx: Transaction, accountId: string): Promise<number> {
  const { current, latestOfAccount } = await trx
    .selectFrom('tasks')
    .select(({ fn }) => [
      fn.min('turn').as('current'),
      fn.max('turn').filterWhere('account_id', '=', accountId).as('latestOfAccount'),
    ])
    .where('status', 'in', activeStatuses)
    .executeTakeFirstOrThrow();
  return Math.max(current ?? 0, latestOfAccount === null ? 0 : latestOfAccount + 1);
}
