import type { TaskStatus } from '@linnet/contract/statuses';
import { taskStatus } from '@linnet/contract/statuses';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';

/** Statuses of tasks and summaries that are queued or in progress. */
export const underWay = [taskStatus.queued, taskStatus.working] as const;

export function isUnderWay(status: TaskStatus | null): status is (typeof underWay)[number] {
  return status === taskStatus.queued || status === taskStatus.working;
}

/**
 * Runs `end` on a task while holding a lock on its account, so that nothing else writes to either. Null if the task
 * was deleted with its recording or account.
 */
export async function withTask<Result>(
  db: Database,
  taskId: string,
  end: (trx: Transaction, task: Row<'tasks'>) => Promise<Result>,
): Promise<Result | null> {
  const found = await db
    .selectFrom('tasks')
    .select('account_id')
    .where('id', '=', taskId)
    .executeTakeFirst();
  if (!found) return null;
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, found.account_id);
    const task = await trx
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', taskId)
      .executeTakeFirst();
    return task ? end(trx, task) : null;
  });
}
