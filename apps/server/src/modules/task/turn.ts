import type { Transaction } from '../../db/database.ts';
import { underWay } from './under-way.ts';

/**
 * Returns the turn of an account's next task. Tasks run in ascending order of turn: an account with queued tasks gets
 * the turn after its last one, an account without any gets the current turn. Accounts are thus served in rotation,
 * however many tasks each has (start-time fair queueing, Goyal et al. 1996, with tasks of equal size).
 */
export async function nextTurn(trx: Transaction, accountId: string): Promise<number> {
  const { present, own } = await trx
    .selectFrom('tasks')
    .select(({ fn }) => [
      fn.min('turn').as('present'),
      fn.max('turn').filterWhere('account_id', '=', accountId).as('own'),
    ])
    .where('status', 'in', underWay)
    .executeTakeFirstOrThrow();
  return Math.max(present ?? 0, own === null ? 0 : own + 1);
}
