import { isDeepStrictEqual } from 'node:util';
import type { CallData, CallInput } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { defaultStructure } from '@linnet/contract/structures';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import type { SummaryRequest } from '../../db/schema.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';
import { byId } from '../recording/service.ts';
import { isVip } from '../user/vip.ts';
import { findTask } from './service.ts';
import { changeTask } from './summary.ts';
import { isUnderWay } from './under-way.ts';

export interface SummaryRequests {
  /**
   * Requests a new summary of the edited transcript. While an identical request for the same transcript is in
   * progress, returns that one. Costs no minutes.
   * @throws CallError notFound, notTranscribed, membersOnly, summaryUnavailable
   */
  request(
    accountId: string,
    body: CallInput<'task/summarize'>,
  ): Promise<CallData<'task/summarize'>>;
}

export interface SummaryRequestParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly analyzer: Pick<TranscriptAnalyzer, 'structures' | 'translates'>;
  /** Whether every feature is open to everyone (`BILLING=off`). */
  readonly open: boolean;
  readonly now: () => Date;
}

export function createSummaryRequests(parts: SummaryRequestParts): SummaryRequests {
  const { db, queue, analyzer, open, now } = parts;

  /** @throws CallError membersOnly, summaryUnavailable */
  async function allow(
    trx: Transaction,
    task: Row<'tasks'>,
    { structure, language }: SummaryRequest,
  ): Promise<void> {
    if (structure !== defaultStructure && !open) {
      const account = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', task.account_id)
        .executeTakeFirstOrThrow();
      if (!isVip(account, now())) throw new CallError('membersOnly');
    }
    if (!analyzer.structures.includes(structure)) {
      const what = structure === 'custom' ? 'a template of your own' : `the structure ${structure}`;
      throw unavailable(`does not know ${what}`);
    }
    if (language && !analyzer.translates) throw unavailable('cannot translate');
  }

  return {
    request: (accountId, { id: wanted, ...wish }) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const task = await findTask(trx, accountId, wanted);
        // No task; check that the recording exists.
        if (!task) await byId(trx, accountId, wanted);
        if (task?.status !== taskStatus.transcribed) throw new CallError('notTranscribed');
        const { id } = task;
        const asked = requestOf(task, wish);
        await allow(trx, task, asked);
        const { summary_status: status } = task;
        if (isUnderWay(status) && isDeepStrictEqual(task.summary_request, asked)) {
          // A summary in progress may have started before the last edit.
          const late = status === taskStatus.working && (await isEditedSince(trx, task));
          if (!late) return { id, summarizing: { status } };
        }
        const set = {
          summary_status: taskStatus.queued,
          summary_error_code: null,
          summary_request: JSON.stringify(asked),
        };
        await changeTask(trx, task, set, now());
        await queue.enqueue(trx, 'summarize', { taskId: id });
        return { id, summarizing: { status: taskStatus.queued } };
      }),
  };
}

/** Whether the recording was edited after the summary was requested. */
async function isEditedSince(trx: Transaction, task: Row<'tasks'>): Promise<boolean> {
  const later = await trx
    .selectFrom('recordings')
    .select('id')
    .where('id', '=', task.recording_id)
    .where('rev', '>', task.rev)
    .executeTakeFirst();
  return later !== undefined;
}

/** The request with defaults applied: the current structure if none is given; no language if it is the transcript's. */
function requestOf(
  task: Row<'tasks'>,
  { structure, template, language }: Omit<CallInput<'task/summarize'>, 'id'>,
): SummaryRequest {
  const before = task.summary_request ?? { structure: defaultStructure };
  const own = structure === undefined ? before.template : template;
  return {
    structure: structure ?? before.structure,
    ...(own && { template: own }),
    ...(language && language !== task.language && { language }),
  };
}

function unavailable(what: string): CallError {
  return new CallError(
    'summaryUnavailable',
    `The engine that summarises here ${what}: set LLM to one that does.`,
  );
}
