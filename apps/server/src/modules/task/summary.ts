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

/** Ends summaries: each of them once, whoever comes first. */
export interface Summaries {
  /** Marks it as worked on; null when it ended already, or the task is gone. */
  begin(taskId: string): Promise<Row<'tasks'> | null>;
  /**
   * Replaces the summary and all that is drawn from the transcript; nothing when it ended already, or
   * another one was asked for meanwhile.
   * @param task as it was begun: each request moves its revision, and nothing else does until it ended
   */
  succeed(task: Row<'tasks'>, analysis: Analysis): Promise<void>;
  /** Keeps the summary there is, and says that no other could be made. */
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
          // A recording shows what its latest transcript says.
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

/** Changes a task, and moves its recording with it. */
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
