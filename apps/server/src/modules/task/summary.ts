import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { Updateable } from 'kysely';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import type { Analysis } from '../../providers/analysis/port.ts';
import { toMindMap } from '../../transcript/mind-map.ts';
import { keepIds } from './keep-ids.ts';
import { latestTranscript } from './latest.ts';
import { isUnderWay, underWay, withTask } from './under-way.ts';

/** Starts and ends summaries, each exactly once. */
export interface Summaries {
  /** Marks it as in progress; null if it has already ended or the task was deleted. */
  begin(taskId: string): Promise<Row<'tasks'> | null>;
  /**
   * Replaces the summary and everything derived from the transcript. Does nothing if it has already ended or another
   * one has been requested since.
   * @param task as returned by `begin`: until it ends, its revision changes only with a new request
   */
  succeed(task: Row<'tasks'>, analysis: Analysis): Promise<void>;
  /** Keeps the existing summary and records that a new one could not be generated. */
  fail(taskId: string): Promise<void>;
}

export function createSummaries(db: Database, now: () => Date): Summaries {
  async function once(
    taskId: string,
    end: (task: Row<'tasks'>, ticked: string[]) => Updateable<Tables['tasks']> | null,
    also: (trx: Transaction, task: Row<'tasks'>) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await withTask(db, taskId, async (trx, task) => {
      if (!isUnderWay(task.summary_status)) return;
      const { ticks } = await trx
        .selectFrom('recordings')
        .select('ticks')
        .where('id', '=', task.recording_id)
        .executeTakeFirstOrThrow();
      const set = end(task, Object.keys(ticks));
      if (!set) return;
      await changeTask(trx, task, set, now());
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

    succeed: ({ id: taskId, rev: asked }, { title, brief, summary, keywords, document }) =>
      once(
        taskId,
        (task, ticked) => {
          if (task.rev !== asked) return null;
          const kept = keepIds(task.summary_json, document, ticked);
          return {
            title,
            brief,
            summary,
            keywords: JSON.stringify(keywords),
            summary_json: JSON.stringify(kept),
            xmind_json: JSON.stringify(toMindMap(title, kept)),
            summary_status: taskStatus.transcribed,
          };
        },
        async (trx, task) => {
          // A recording shows its latest transcript.
          const latest = await latestTranscript(trx, task.recording_id);
          if (latest?.id !== taskId) return;
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

/** Updates a task and the revision of its recording. */
export async function changeTask(
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
