import { isDeepStrictEqual } from 'node:util';
import type { CallData, CallInput } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { defaultStructure } from '@linnet/contract/structures';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';
import { getRecording } from '../recording/service.ts';
import { isVip } from '../user/vip.ts';
import { isActive } from './active-tasks.ts';
import { continuingTask } from './range.ts';
import { findTask } from './service.ts';
import { changeTask } from './summary.ts';
import type { SummaryRequest } from './tables.ts';

/** Queues summaries requested by users. */
export interface SummaryRequests {
  /**
   * Requests a new summary of the transcript, including its edits. If an identical request is already in progress and
   * the transcript hasn't changed since, no second request is queued. Summaries are free of charge.
   * @throws CallError notFound, notTranscribed, membersOnly, summaryUnavailable
   */
  request(
    accountId: string,
    body: CallInput<'task/summarize'>,
  ): Promise<CallData<'task/summarize'>>;
}

export interface SummaryRequestDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly analyzer: Pick<TranscriptAnalyzer, 'structures' | 'translates'>;
  /** Whether all features are available without membership (`BILLING=off`). */
  readonly isFree: boolean;
  readonly now: () => Date;
}

export function createSummaryRequests(deps: SummaryRequestDependencies): SummaryRequests {
  const { db, queue, analyzer, isFree, now } = deps;

  /**
   * Checks that the account may use the structure, and that the engine supports the request.
   * @throws CallError membersOnly, summaryUnavailable
   */
  async function requireAllowed(
    trx: Transaction,
    task: Row<'tasks'>,
    { structure, language }: SummaryRequest,
  ): Promise<void> {
    if (structure !== defaultStructure && !isFree) {
      const account = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', task.account_id)
        .executeTakeFirstOrThrow();
      if (!isVip(account, now())) throw new CallError('membersOnly');
    }
    if (!analyzer.structures.includes(structure)) {
      const structureName =
        structure === 'custom' ? 'custom templates' : `the structure ${structure}`;
      throw unavailable(`does not support ${structureName}`);
    }
    if (language && !analyzer.translates) throw unavailable('does not support translation');
  }

  return {
    request: (accountId, { id: taskOrRecordingId, ...options }) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const found = await findTask(trx, accountId, taskOrRecordingId);
        // Respond with notFound if there is no task because the recording doesn't exist.
        if (!found) await getRecording(trx, accountId, taskOrRecordingId);
        const task = found && (await continuingTask(trx, found));
        if (task?.status !== taskStatus.transcribed) throw new CallError('notTranscribed');
        const { id } = task;
        const summaryRequest = completeRequest(task, options);
        await requireAllowed(trx, task, summaryRequest);
        const { summary_status: status } = task;
        if (isActive(status) && isDeepStrictEqual(task.summary_request, summaryRequest)) {
          // A summary in progress may not reflect the latest edit.
          const isOutdated = status === taskStatus.working && (await isEditedSince(trx, task));
          if (!isOutdated) return { id, summarizing: { status } };
        }
        const values = {
          summary_status: taskStatus.queued,
          summary_error_code: null,
          summary_request: JSON.stringify(summaryRequest),
        };
        await changeTask(trx, task, values, now());
        await queue.enqueue(trx, 'summarize', { taskId: id });
        return { id, summarizing: { status: taskStatus.queued } };
      }),
  };
}

/** Returns whether the recording was edited after the summary was requested. */
async function isEditedSince(trx: Transaction, task: Row<'tasks'>): Promise<boolean> {
  const editedRecording = await trx
    .selectFrom('recordings')
    .select('id')
    .where('id', '=', task.recording_id)
    .where('rev', '>', task.rev)
    .executeTakeFirst();
  return editedRecording !== undefined;
}

/**
 * Fills in a request's defaults. If no structure is requested, the current structure and template are kept. The
 * language is omitted if it is the transcript's language, because no translation is needed.
 */
function completeRequest(
  task: Row<'tasks'>,
  { structure, template, language }: Omit<CallInput<'task/summarize'>, 'id'>,
): SummaryRequest {
  const previous = task.summary_request ?? { structure: defaultStructure };
  const effectiveTemplate = structure === undefined ? previous.template : template;
  return {
    structure: structure ?? previous.structure,
    ...(effectiveTemplate && { template: effectiveTemplate }),
    ...(language && language !== task.language && { language }),
  };
}

function unavailable(problem: string): CallError {
  return new CallError(
    'summaryUnavailable',
    `The summary engine of this server ${problem}. Set LLM to an engine that does.`,
  );
}
