import type { CallData } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { minutesFor } from '@linnet/contract/durations';
import { taskStatus } from '@linnet/contract/statuses';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { deleteLiveSessionForTask } from '../live/service.ts';
import type { Minutes } from '../minutes/service.ts';
import { freeAudio } from '../recording/free-audio.ts';
import { addToHistory } from '../recording/history.ts';
import { discardObjects } from '../upload/discard.ts';
import { activeStatuses, isActive } from './active-tasks.ts';
import { findTask } from './service.ts';

export interface CancelDependencies {
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly now: () => Date;
}

/** Cancels transcriptions at the user's request. */
export interface Cancellation {
  /**
   * Cancels an active task. Its worker stops within seconds. A task that has already finished is returned unchanged.
   * @throws CallError notFound
   */
  cancel(accountId: string, id: string): Promise<CallData<'task/cancel'>>;
}

export function createCancellation(
  deps: CancelDependencies & { readonly db: Database },
): Cancellation {
  return {
    cancel: (accountId, id) =>
      deps.db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const task = await findTask(trx, accountId, id);
        if (!task) throw new CallError('notFound');
        if (!isActive(task.status)) {
          return { id: task.id, status: task.status, minutes: task.minutes };
        }
        const charged = await cancelTask(trx, deps, task, await nextRevision(trx, accountId));
        return { id: task.id, status: taskStatus.failed, minutes: charged };
      }),
  };
}

/** Cancels all of a recording's active tasks. The transaction must already hold the account's lock. */
export async function cancelActiveTasks(
  trx: Transaction,
  deps: CancelDependencies,
  recordingId: string,
  rev: number,
): Promise<void> {
  const activeTasks = await trx
    .selectFrom('tasks')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where('status', 'in', activeStatuses)
    .execute();
  for (const task of activeTasks) await cancelTask(trx, deps, task, rev);
}

/**
 * Cancels a task. Audio already processed by the engine is charged, because it has cost time or money. Any other
 * reserved minutes are released. The transaction must already hold the account's lock.
 * @returns the minutes charged
 */
async function cancelTask(
  trx: Transaction,
  { queue, minutes, now }: CancelDependencies,
  task: Row<'tasks'>,
  rev: number,
): Promise<number> {
  const processed = await processedSeconds(trx, task);
  const reserved = await minutes.reserved(trx, task.id);
  const charged = processed === null ? 0 : Math.min(reserved, minutesFor(processed));
  if (charged > 0) {
    const account = await trx
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', task.account_id)
      .executeTakeFirstOrThrow();
    await minutes.settle(trx, account, task.id, charged);
  } else {
    await minutes.release(trx, task.id);
  }
  await trx
    .updateTable('tasks')
    .set({
      status: taskStatus.failed,
      step: null,
      audio_key: null,
      error_code: codes.transcriptionCanceled,
      minutes: charged,
      rev,
      updated_at: now(),
    })
    .where('id', '=', task.id)
    .execute();
  // Delete the steps after updating the task, because the update waits for a worker that is saving a step.
  await trx.deleteFrom('task_steps').where('task_id', '=', task.id).execute();
  await deleteLiveSessionForTask(trx, minutes, task);
  if (task.audio_key !== null) await discardObjects(trx, queue, [task.audio_key], now());
  await trx
    .updateTable('recordings')
    .set({ rev, updated_at: now() })
    .where('id', '=', task.recording_id)
    .execute();
  await addToHistory(trx, task.id);
  const { account_id: accountId, recording_id: recordingId } = task;
  if (task.range) await freeAudio(trx, queue, accountId, { rev, now: now(), recordingId });
  return charged;
}

/** Returns the seconds of audio that the engine has processed, or null if it hasn't processed any. */
async function processedSeconds(trx: Transaction, task: Row<'tasks'>): Promise<number | null> {
  const steps = await trx
    .selectFrom('task_steps')
    .select(['step', 'output'])
    .where('task_id', '=', task.id)
    .where('step', 'in', ['decode', 'recognise'])
    .execute();
  const decoded = steps.find(({ step }) => step === 'decode')?.output as
    | { readonly seconds?: number }
    | undefined;
  const seconds = decoded?.seconds ?? 0;
  if (steps.some(({ step }) => step === 'recognise')) return seconds;
  return task.step === 'recognise' && task.step_done > 0 ? seconds * task.step_done : null;
}
