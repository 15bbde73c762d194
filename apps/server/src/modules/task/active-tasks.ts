import type { TaskStatus } from '@linnet/contract/statuses';
import { taskStatus } from '@linnet/contract/statuses';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';

/** Statuses of tasks and summaries that are queued or in progress. */
export const activeStatuses = [taskStatus.queued, taskStatus.working] as const;

/** Returns whether a task or summary is queued or in progress. */
export function isActive(status: TaskStatus | null): status is (typeof activeStatuses)[number] {
  return status === taskStatus.queued || status === taskStatus.working;
}

/**
 * Runs a function on a task in a transaction that locks the account, so no other transaction can change the task or the
 * account. Returns null if the task was deleted along with its recording or account.
 */
export async function withLockedTask<Result>(
  db: Database,
  taskId: string,
  run: (trx: Transaction, task: Row<'tasks'>) => Promise<Result>,
): Promise<Result | null> {
  const owner = await db
    .selectFrom('tasks')
    .select('account_id')
    .where('id', '=', taskId)
    .executeTakeFirst();
  if (!owner) return null;
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, owner.account_id);
    const task = await trx
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', taskId)
      .executeTakeFirst();
    return task ? run(trx, task) : null;
  });
}
