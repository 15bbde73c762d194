import type { Transaction } from '../../db/database.ts';
import { underWay } from './under-way.ts';

/**
 * The turn of an account's next task. Tasks run by turn, the lowest first: an account that has tasks waiting takes the
 * turn after its last one, and one that has none joins at the present turn. So accounts are served one after another,
 * however many tasks each of them has (start-time fair queueing, Goyal et al. 1996, with tasks of equal size).
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
