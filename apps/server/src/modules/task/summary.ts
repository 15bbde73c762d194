import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { WebhookEvent } from '@linnet/contract/webhooks';
import type { Updateable } from 'kysely';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Analysis } from '../../providers/analysis/port.ts';
import { toMindMap } from '../../transcript/mind-map.ts';
import { recordWebhookEvents } from '../webhook/events.ts';
import { activeStatuses, isActive, withLockedTask } from './active-tasks.ts';
import { latestTranscript } from './latest-transcript.ts';
import { reuseItemIds } from './reuse-item-ids.ts';
import type { SummaryFailure, SummaryOutcome } from './summary-failure.ts';
import { type OnNamingFailure, renameInSummary } from './summary-names.ts';

/** Records the start and outcome of summary requests. Each request gets exactly one outcome. */
export interface Summaries {
  /** Marks a requested summary as in progress. Returns null if it has already finished or its task was deleted. */
  begin(taskId: string): Promise<Row<'tasks'> | null>;
  /**
   * Replaces the summary and everything else derived from the transcript, unless the request has already finished or
   * was superseded by a new request.
   * @param task the row returned by `begin`. Its revision identifies the request: while a task has an active request,
   *   only a new request changes its revision
   */
  succeed(task: Row<'tasks'>, analysis: Analysis): Promise<void>;
  /** Keeps the existing summary and records why a new one couldn't be generated. */
  fail(taskId: string, failure: SummaryFailure): Promise<void>;
}

export interface SummariesDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly now: () => Date;
  /** Called after the commit for each finished summary. */
  readonly onFinish?: (outcome: SummaryOutcome) => void;
  /** Called within the transaction if the speaker names in a summary couldn't be updated. */
  readonly onNamingFailure?: OnNamingFailure | undefined;
}

export function createSummaries(deps: SummariesDependencies): Summaries {
  const { db, queue, now, onFinish, onNamingFailure } = deps;

  /**
   * Locks the account and finishes the task's active summary request.
   * @param valuesFor returns the columns to change, or null if the request was superseded
   */
  async function finishOnce(
    taskId: string,
    outcome: SummaryOutcome,
    valuesFor: (task: Row<'tasks'>, checkedIds: string[]) => Updateable<Tables['tasks']> | null,
    afterUpdate: (trx: Transaction, task: Row<'tasks'>) => Promise<void> = async () => undefined,
    event: WebhookEvent | null = null,
  ): Promise<void> {
    const hasFinished = await withLockedTask(db, taskId, async (trx, task) => {
      if (!isActive(task.summary_status)) return false;
      const { ticks: checkedItems, client_flag: clientFlag } = await trx
        .selectFrom('recordings')
        .select(['ticks', 'client_flag'])
        .where('id', '=', task.recording_id)
        .executeTakeFirstOrThrow();
      const values = valuesFor(task, Object.keys(checkedItems));
      if (!values) return false;
      await changeTask(trx, task, values, now());
      await afterUpdate(trx, task);
      // Speakers may have been named while the summary was being created.
      await renameInSummary(trx, task.recording_id, now(), onNamingFailure);
      if (event !== null) {
        await recordWebhookEvents(trx, { queue, now }, task.account_id, [
          { type: event, recordingId: task.recording_id, clientFlag },
        ]);
      }
      return true;
    });
    if (hasFinished) onFinish?.(outcome);
  }

  return {
    async begin(taskId) {
      const task = await db
        .updateTable('tasks')
        .set({ summary_status: taskStatus.working })
        .where('id', '=', taskId)
        .where('summary_status', 'in', activeStatuses)
        .returningAll()
        .executeTakeFirst();
      return task ?? null;
    },

    succeed: ({ id: taskId, rev: expectedRev }, { title, brief, summary, keywords, document }) =>
      finishOnce(
        taskId,
        'summarized',
        (task, checkedIds) => {
          if (task.rev !== expectedRev) return null;
          const documentWithIds = reuseItemIds(task.summary_json, document, checkedIds);
          return {
            title,
            brief,
            summary,
            keywords: JSON.stringify(keywords),
            summary_json: JSON.stringify(documentWithIds),
            xmind_json: JSON.stringify(toMindMap(title, documentWithIds)),
            summary_status: taskStatus.transcribed,
          };
        },
        async (trx, task) => {
          // A recording's title and keywords come from its latest transcript.
          const latest = await latestTranscript(trx, task.recording_id);
          if (latest?.id !== taskId) return;
          await trx
            .updateTable('recordings')
            .set({ ai_title: title, brief, keywords: JSON.stringify(keywords) })
            .where('id', '=', task.recording_id)
            .execute();
        },
        'recording.summarized',
      ),

    fail: (taskId, failure) =>
      finishOnce(taskId, failure, () => ({
        summary_status: taskStatus.failed,
        summary_error_code: codes[failure],
      })),
  };
}

/** Updates a task and gives it and its recording a new revision, so that the change is synced. */
export async function changeTask(
  trx: Transaction,
  { id, recording_id: recordingId, account_id: accountId }: Row<'tasks'>,
  values: Updateable<Tables['tasks']>,
  now: Date,
): Promise<void> {
  const rev = await nextRevision(trx, accountId);
  const stamp = { rev, updated_at: now };
  await trx
    .updateTable('tasks')
    .set({ ...values, ...stamp })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('recordings').set(stamp).where('id', '=', recordingId).execute();
}
