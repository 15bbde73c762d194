import type { CallData } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { Updateable } from 'kysely';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Analysis } from '../../providers/analysis/port.ts';
import { keepIds } from './keep-ids.ts';
import { isUnderWay, underWay, withTask } from './under-way.ts';

/**
 * Asks for a summary to be made again; while one is under way, that one is answered.
 * @throws CallError notTranscribed, notFound
 */
export function requestSummary(
  db: Database,
  queue: Queue,
  { id, account_id: accountId }: Row<'tasks'>,
  now: Date,
): Promise<CallData<'task/summarize'>> {
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const task = await trx.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
    if (!task) throw new CallError('notFound');
    if (task.status !== taskStatus.transcribed) throw new CallError('notTranscribed');
    const { summary_status: status } = task;
    if (isUnderWay(status)) return { id, summarizing: { status } };
    const asked = { summary_status: taskStatus.queued, summary_error_code: null };
    await change(trx, task, asked, now);
    await queue.enqueue(trx, 'summarize', { taskId: id });
    return { id, summarizing: { status: taskStatus.queued } };
  });
}

/** Ends summaries: each of them once, whoever comes first. */
export interface Summaries {
  /** Marks it as worked on; null when it ended already, or the task is gone. */
  begin(taskId: string): Promise<Row<'tasks'> | null>;
  /** Replaces the summary and all that is drawn from the transcript; nothing when it ended already. */
  succeed(taskId: string, analysis: Analysis): Promise<void>;
  /** Keeps the summary there is, and says that no other could be made. */
  fail(taskId: string): Promise<void>;
}

export function createSummaries(db: Database, now: () => Date): Summaries {
  async function once(
    taskId: string,
    end: (task: Row<'tasks'>) => Updateable<Tables['tasks']>,
    also: (trx: Transaction, task: Row<'tasks'>) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await withTask(db, taskId, async (trx, task) => {
      if (!isUnderWay(task.summary_status)) return;
      await change(trx, task, end(task), now());
      await also(trx, task);
    });
  }

  return {
    async begin(taskId) {
      const task = await db
        .updateTable('tasks')
        .set({ summary_status: taskStatus.working })
        .where('id', '=', taskId)
        .where('summary_status', 'in', underWay)
        .returningAll()
        .executeTakeFirst();
      return task ?? null;
    },

    succeed: (taskId, { title, brief, summary, keywords, document }) =>
      once(
        taskId,
        (task) => ({
          title,
          brief,
          summary,
          keywords: JSON.stringify(keywords),
          summary_json: JSON.stringify(keepIds(task.summary_json, document)),
          summary_status: taskStatus.transcribed,
        }),
        async (trx, task) => {
          // A recording shows what its latest transcript says.
          const later = await trx
            .selectFrom('tasks')
            .select('id')
            .where('recording_id', '=', task.recording_id)
            .where('status', '=', taskStatus.transcribed)
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .executeTakeFirst();
          if (later?.id !== taskId) return;
          await trx
            .updateTable('recordings')
            .set({ ai_title: title, brief, keywords: JSON.stringify(keywords) })
            .where('id', '=', task.recording_id)
            .execute();
        },
      ),

    fail: (taskId) =>
      once(taskId, () => ({
        summary_status: taskStatus.failed,
        summary_error_code: codes.summaryFailed,
      })),
  };
}

/** Changes a task, and moves its recording with it. */
async function change(
  trx: Transaction,
  { id, recording_id: recordingId, account_id: accountId }: Row<'tasks'>,
  set: Updateable<Tables['tasks']>,
  now: Date,
): Promise<void> {
  const rev = await nextRevision(trx, accountId);
  const stamp = { rev, updated_at: now };
  await trx
    .updateTable('tasks')
    .set({ ...set, ...stamp })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('recordings').set(stamp).where('id', '=', recordingId).execute();
}
