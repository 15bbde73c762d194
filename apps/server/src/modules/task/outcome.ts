import type { MindNode, Word } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codes } from '@linnet/contract/codes';
import type { Bcp47 } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Analysis } from '../../providers/analysis/port.ts';
import type { Minutes } from '../minutes/service.ts';
import { minutesFor } from '../minutes/service.ts';
import { freeAudio } from '../recording/free-audio.ts';
import { recordEnd } from '../recording/history.ts';
import { discardObjects } from '../upload/discard.ts';
import { isUnderWay, withTask } from './under-way.ts';

/** Times are seconds from the start of the recording. */
export interface HeardParagraph {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly content: string;
  readonly words: readonly Word[];
  /** `1`, `2` … in the order in which they are first heard; their names are the owner's. */
  readonly speaker?: string;
}

/** What a task ends with when all went well. */
export interface Transcript {
  /** Seconds of audio, as decoded. */
  readonly seconds: number;
  /** How it is drawn, as base64; '' where nobody measured it. */
  readonly peaks: string;
  readonly engine: string;
  /** The one asked for, or the one that was heard. */
  readonly language: Bcp47;
  readonly paragraphs: readonly HeardParagraph[];
  /** Null when no summary could be made: the transcript is worth its minutes without. */
  readonly analysis: Pick<Analysis, 'title' | 'brief' | 'summary' | 'keywords' | 'document'> | null;
  readonly mindMap: readonly MindNode[] | null;
}

/** Why a task ends without a transcript: the codes of the catalogue that `task.error` may hold. */
export type TaskFailure = Extract<
  CodeName,
  | 'audioTooShort'
  | 'audioUnreadable'
  | 'audioEmpty'
  | 'noSpeech'
  | 'engineFailed'
  | 'engineQuota'
  | 'engineMisconfigured'
  | 'objectMissing'
  | 'notEnoughMinutes'
  | 'languageUnavailable'
>;

export type TaskOutcome = 'transcribed' | TaskFailure;

/** Ends tasks: each of them once, whoever comes first. */
export interface Outcomes {
  /** Minutes that a task may cost at most: what is reserved for it, and what its account has left. 0 when it is gone. */
  affordableMinutes(taskId: string): Promise<number>;
  /**
   * Raises the task's reservation to what so many seconds cost, so that nothing else spends the minutes meanwhile.
   * @throws CallError notEnoughMinutes
   */
  reserve(taskId: string, seconds: number): Promise<void>;
  /**
   * Stores the transcript and settles the minutes, in one transaction; nothing when the task ended
   * already.
   * @throws CallError notEnoughMinutes, when nothing was stored
   */
  succeed(taskId: string, transcript: Transcript): Promise<void>;
  /** Releases the minutes and says why; nothing when the task ended already. */
  fail(taskId: string, failure: TaskFailure): Promise<void>;
}

export interface OutcomesParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly now: () => Date;
  /** Told of each task that ended, once that is committed, with the minutes it cost. */
  readonly onEnd?: (outcome: TaskOutcome, minutes: number) => void;
}

/** So many rows go into one statement: PostgreSQL takes 65,535 values. */
const rowsAtOnce = 1000;

export function createOutcomes({ db, queue, minutes, now, onEnd }: OutcomesParts): Outcomes {
  /** Runs `end`, which tells the minutes, on a task that is still under way, with its account locked. */
  async function once(
    taskId: string,
    outcome: TaskOutcome,
    end: (trx: Transaction, task: Row<'tasks'>, rev: number) => Promise<number>,
  ): Promise<void> {
    const cost = await withTask(db, taskId, async (trx, task) => {
      if (!isUnderWay(task.status)) return null;
      return end(trx, task, await nextRevision(trx, task.account_id));
    });
    if (cost !== null) onEnd?.(outcome, cost);
  }

  /**
   * Drops what only a task under way needs. After the task was updated, which waits for a worker that is
   * just keeping another step.
   */
  async function leaveBehind(trx: Transaction, { id, audio_key: audio }: Row<'tasks'>) {
    await trx.deleteFrom('task_steps').where('task_id', '=', id).execute();
    if (audio !== null) await discardObjects(trx, queue, [audio], now());
  }

  const accountOf = (queries: Queries, task: Pick<Row<'tasks'>, 'account_id'>) =>
    queries
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', task.account_id)
      .executeTakeFirstOrThrow();

  return {
    async affordableMinutes(taskId) {
      const task = await db
        .selectFrom('tasks')
        .select('account_id')
        .where('id', '=', taskId)
        .executeTakeFirst();
      if (!task) return 0;
      const { left } = await minutes.balance(db, await accountOf(db, task));
      return left + (await minutes.reserved(db, taskId));
    },

    async reserve(taskId, seconds) {
      await withTask(db, taskId, async (trx, task) => {
        if (!isUnderWay(task.status)) return;
        const missing = minutesFor(seconds) - (await minutes.reserved(trx, taskId));
        if (missing > 0) {
          await minutes.reserve(trx, await accountOf(trx, task), taskId, missing);
        }
      });
    },

    succeed: (taskId, transcript) =>
      once(taskId, 'transcribed', async (trx, task, rev) => {
        const account = await accountOf(trx, task);
        const cost = minutesFor(transcript.seconds);
        await minutes.settle(trx, account, taskId, cost);
        const rows = transcript.paragraphs.map((paragraph, ordinal) => ({
          id: paragraph.id,
          task_id: taskId,
          account_id: task.account_id,
          ordinal,
          start_time: paragraph.start,
          end_time: paragraph.end,
          content: paragraph.content,
          words: JSON.stringify(paragraph.words),
          speaker: paragraph.speaker ?? null,
          rev,
        }));
        for (let from = 0; from < rows.length; from += rowsAtOnce) {
          const some = rows.slice(from, from + rowsAtOnce);
          await trx.insertInto('paragraphs').values(some).execute();
        }
        const { analysis, mindMap, engine, language } = transcript;
        const { title = '', brief = '', summary = '', keywords = [] } = analysis ?? {};
        await trx
          .updateTable('tasks')
          .set({
            status: taskStatus.transcribed,
            progress: 100,
            step: null,
            audio_key: null,
            engine,
            language,
            title,
            brief,
            summary,
            summary_json: analysis && JSON.stringify(analysis.document),
            keywords: JSON.stringify(keywords),
            xmind_json: mindMap && JSON.stringify(mindMap),
            ...(!analysis && {
              summary_status: taskStatus.failed,
              summary_error_code: codes.summaryFailed,
            }),
            minutes: cost,
            rev,
            updated_at: now(),
          })
          .where('id', '=', taskId)
          .execute();
        await leaveBehind(trx, task);
        await trx
          .updateTable('recordings')
          .set({
            // Without a summary the recording keeps the name it had.
            ...(analysis && { ai_title: title, brief, keywords: JSON.stringify(keywords) }),
            // Other audio tells how long and how loud it is, not what the recording is.
            ...(task.audio_key === null && {
              total_time: transcript.seconds,
              ...(transcript.peaks && { peaks: transcript.peaks }),
            }),
            rev,
            updated_at: now(),
          })
          .where('id', '=', task.recording_id)
          .execute();
        await recordEnd(trx, taskId);
        const { account_id: accountId, recording_id: recordingId } = task;
        await freeAudio(trx, queue, accountId, { rev, now: now(), recordingId });
        return cost;
      }),

    fail: (taskId, failure) =>
      once(taskId, failure, async (trx, task, rev) => {
        await minutes.release(trx, taskId);
        await trx
          .updateTable('tasks')
          .set({
            status: taskStatus.failed,
            step: null,
            audio_key: null,
            error_code: codes[failure],
            rev,
            updated_at: now(),
          })
          .where('id', '=', taskId)
          .execute();
        await leaveBehind(trx, task);
        await trx
          .updateTable('recordings')
          .set({ rev, updated_at: now() })
          .where('id', '=', task.recording_id)
          .execute();
        await recordEnd(trx, taskId);
        return 0;
      }),
  };
}
