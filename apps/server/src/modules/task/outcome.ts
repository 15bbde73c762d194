import type { MindNode, Word } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codes } from '@linnet/contract/codes';
import { minutesFor } from '@linnet/contract/durations';
import type { Bcp47 } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Analysis } from '../../providers/analysis/port.ts';
import { deleteLiveSessionForTask } from '../live/service.ts';
import type { Minutes } from '../minutes/service.ts';
import { mailTranscript } from '../notification-mail/digest.ts';
import { notifyOfTranscript } from '../push/notify.ts';
import { freeAudio } from '../recording/free-audio.ts';
import { addToHistory } from '../recording/history.ts';
import { carryToTranscript } from '../sync/carry-over/new-transcript.ts';
import { createOperations } from '../sync/operations.ts';
import { discardObjects } from '../upload/discard.ts';
import { deleteRecordingVoices, type RecordingVoices, storeVoices } from '../voice/voices.ts';
import { recordWebhookEvents } from '../webhook/events.ts';
import { isActive, withLockedTask } from './active-tasks.ts';
import { takeOver } from './range.ts';
import { keepSpeakers, keepSummary } from './range-summary.ts';
import type { SummaryFailure, SummaryOutcome } from './summary-failure.ts';
import { type OnNamingFailure, renameInSummary } from './summary-names.ts';

/**
 * Stores the results of transcription tasks as reported by the worker: the transcript or the failure, the charged
 * minutes, and the history entry. For canceled tasks, see `cancel.ts`.
 */

/** A paragraph of a transcript as recognized. Times are in seconds from the start of the recording. */
export interface RecognizedParagraph {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly content: string;
  readonly words: readonly Word[];
  /** `1`, `2` … in order of first appearance. The user can name these speakers. */
  readonly speaker?: string;
}

/** A successful task's result. */
export interface Transcript {
  /** Duration of the decoded audio, in seconds. */
  readonly seconds: number;
  /** Waveform peaks in base64, or '' if they weren't measured. */
  readonly peaks: string;
  readonly engine: string;
  /** The requested or detected language. */
  readonly language: Bcp47;
  readonly paragraphs: readonly RecognizedParagraph[];
  /**
   * Null if no summary could be generated. The transcript is still delivered and charged for. Absent for a range, which
   * keeps the existing summary.
   */
  readonly analysis?:
    | Pick<Analysis, 'title' | 'brief' | 'summary' | 'keywords' | 'document'>
    | null
    | undefined;
  readonly mindMap: readonly MindNode[] | null;
  /** The speakers' voices. Absent if the account hasn't agreed to store voices, or if they weren't computed. */
  readonly voices?: RecordingVoices | undefined;
  /**
   * Why the analyzer couldn't generate the summary. `analysis` is then a simpler summary or null. If `postponed`, a
   * separate job requests the summary again.
   */
  readonly summaryFailure?: SummaryFailure | 'postponed' | undefined;
}

/** Reasons why a task may fail, as contract codes. */
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

/** Stores task outcomes. Each task gets exactly one outcome, even if several workers process it. */
export interface Outcomes {
  /**
   * Returns the minutes reserved for the task plus the remaining balance. Returns infinity for a free task, and 0 if
   * the task no longer exists.
   */
  affordableMinutes(taskId: string): Promise<number>;
  /**
   * Increases the task's reservation to cover `seconds` of audio, so no other task can spend these minutes.
   * @throws CallError notEnoughMinutes
   */
  reserve(taskId: string, seconds: number): Promise<void>;
  /**
   * Stores the transcript and charges the minutes in one transaction, unless the task has already finished.
   * @throws CallError notEnoughMinutes; nothing is then stored
   */
  succeed(taskId: string, transcript: Transcript): Promise<void>;
  /** Records the failure and releases the reserved minutes, unless the task has already finished. */
  fail(taskId: string, failure: TaskFailure): Promise<void>;
}

export interface OutcomesDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly now: () => Date;
  /** Called after the commit for each finished task, with the minutes charged. */
  readonly onFinish?: (outcome: TaskOutcome, minutes: number) => void;
  /** Called after the commit with the outcome of a transcript's summary, unless it was postponed. */
  readonly onSummary?: (outcome: SummaryOutcome) => void;
  /** Called if the user's changes couldn't be carried over to a transcript because of an unexpected error. */
  readonly onCarryFailure?: (taskId: string, error: unknown) => void;
  readonly onNamingFailure?: OnNamingFailure | undefined;
}

/** Delay before a postponed summary is requested again, in milliseconds. */
const postponedSummaryMs = 60_000;

/** Rows per INSERT statement. PostgreSQL allows at most 65,535 parameters per statement. */
const rowsPerInsert = 1000;

export function createOutcomes({
  db,
  queue,
  minutes,
  now,
  onFinish,
  onSummary,
  onCarryFailure,
  onNamingFailure,
}: OutcomesDependencies): Outcomes {
  const operations = createOperations({
    db,
    queue,
    minutes,
    now,
    onNamingFailure,
    isUserEdit: false,
  });

  /**
   * Locks the account and finishes the task if it is still active. `end` writes the outcome and returns the charged
   * minutes.
   * @param afterCommit called only if the task was still active
   */
  async function finishOnce(
    taskId: string,
    outcome: TaskOutcome,
    end: (trx: Transaction, task: Row<'tasks'>, rev: number) => Promise<number>,
    afterCommit: () => void = () => undefined,
  ): Promise<void> {
    const cost = await withLockedTask(db, taskId, async (trx, task) => {
      if (!isActive(task.status)) return null;
      return end(trx, task, await nextRevision(trx, task.account_id));
    });
    if (cost === null) return;
    onFinish?.(outcome, cost);
    afterCommit();
  }

  /**
   * Deletes data that is only needed while a task is active. Must be called after updating the task, so that it waits
   * for a worker that is still saving a step.
   */
  async function deleteTaskData(trx: Transaction, task: Row<'tasks'>) {
    const { id, audio_key: audio } = task;
    await deleteLiveSessionForTask(trx, minutes, task);
    await trx.deleteFrom('task_steps').where('task_id', '=', id).execute();
    if (audio !== null) await discardObjects(trx, queue, [audio], now());
  }

  const findAccount = (queries: Queries, task: Pick<Row<'tasks'>, 'account_id'>) =>
    queries
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', task.account_id)
      .executeTakeFirstOrThrow();

  return {
    async affordableMinutes(taskId) {
      const task = await db
        .selectFrom('tasks')
        .select(['account_id', 'is_free'])
        .where('id', '=', taskId)
        .executeTakeFirst();
      if (!task) return 0;
      if (task.is_free) return Number.POSITIVE_INFINITY;
      const { left: remaining } = await minutes.balance(db, await findAccount(db, task));
      return remaining + (await minutes.reserved(db, taskId));
    },

    async reserve(taskId, seconds) {
      await withLockedTask(db, taskId, async (trx, task) => {
        if (!isActive(task.status) || task.is_free) return;
        const missingMinutes = minutesFor(seconds) - (await minutes.reserved(trx, taskId));
        if (missingMinutes > 0) {
          await minutes.reserve(trx, await findAccount(trx, task), taskId, missingMinutes);
        }
      });
    },

    succeed: (taskId, transcript) => {
      const { analysis, mindMap } = transcript;
      const { summaryFailure = analysis === null ? 'summaryFailed' : undefined } = transcript;
      const end = async (trx: Transaction, task: Row<'tasks'>, rev: number) => {
        const account = await findAccount(trx, task);
        const cost = task.is_free ? 0 : minutesFor(transcript.seconds);
        await minutes.settle(trx, account, taskId, cost);
        const { range } = task;
        const keptRange =
          range && (await takeOver(trx, taskId, range, transcript.paragraphs.length, rev));
        const keptSummary =
          keptRange &&
          (await keepSummary(
            trx,
            queue,
            taskId,
            range.transcript,
            keptRange.replaced,
            transcript.paragraphs,
          ));
        const { engine = transcript.engine, language = transcript.language } = keptRange ?? {};
        const rows = transcript.paragraphs.map((paragraph, index) => ({
          id: paragraph.id,
          task_id: taskId,
          account_id: task.account_id,
          ordinal: index + (keptRange?.before.length ?? 0),
          start_time: paragraph.start,
          end_time: paragraph.end,
          content: paragraph.content,
          words: JSON.stringify(paragraph.words),
          speaker: paragraph.speaker ?? null,
          language: transcript.language === language ? null : transcript.language,
          rev,
        }));
        for (let start = 0; start < rows.length; start += rowsPerInsert) {
          const batch = rows.slice(start, start + rowsPerInsert);
          await trx.insertInto('paragraphs').values(batch).execute();
        }
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
            ...(keptSummary ?? {
              title,
              brief,
              summary,
              summary_json: analysis ? JSON.stringify(analysis.document) : null,
              keywords: JSON.stringify(keywords),
              xmind_json: mindMap && JSON.stringify(mindMap),
              ...(summaryFailure === 'postponed'
                ? { summary_status: taskStatus.queued }
                : summaryFailure && {
                    summary_status: taskStatus.failed,
                    summary_error_code: codes[summaryFailure],
                  }),
            }),
            minutes: cost,
            transcript_rev: rev,
            rev,
            updated_at: now(),
          })
          .where('id', '=', taskId)
          .execute();
        if (summaryFailure === 'postponed') {
          const startAfter = new Date(now().getTime() + postponedSummaryMs);
          await queue.enqueue(trx, 'summarize', { taskId }, startAfter);
        }
        await deleteTaskData(trx, task);
        const recording = await trx
          .selectFrom('recordings')
          .select(['ai_title', 'client_flag'])
          .where('id', '=', task.recording_id)
          .executeTakeFirstOrThrow();
        // Keep the recording's current title and keywords, if any, unless the analyzer generated a new summary.
        const keepsTitle = !analysis || (summaryFailure && recording.ai_title !== '');
        await trx
          .updateTable('recordings')
          .set({
            ...(!keepsTitle && { ai_title: title, brief, keywords: JSON.stringify(keywords) }),
            // Substitute audio and ranges have a different duration and waveform from the recording's own audio.
            ...(task.audio_key === null &&
              task.range === null && {
                total_time: transcript.seconds,
                ...(transcript.peaks && { peaks: transcript.peaks }),
              }),
            rev,
            updated_at: now(),
          })
          .where('id', '=', task.recording_id)
          .execute();
        // Transcribing a range keeps the existing speakers, and so their voices.
        const answeredLabels = range ? [] : await deleteRecordingVoices(trx, task.recording_id);
        const addedIds = new Set(transcript.paragraphs.map(({ id }) => id));
        const labels = await carryToTranscript(trx, operations.perform, task, addedIds, (error) =>
          onCarryFailure?.(taskId, error),
        );
        const { account_id: accountId, recording_id: recordingId } = task;
        if (keptRange) {
          const { paragraphs } = transcript;
          await keepSpeakers(trx, taskId, range.transcript, keptRange.replaced, paragraphs);
        }
        // Speakers may have been named while the transcript was being created.
        await renameInSummary(trx, recordingId, now(), onNamingFailure);
        await storeVoices(
          trx,
          { accountId, recordingId },
          transcript.voices ?? null,
          new Set(answeredLabels.flatMap((label) => labels.get(label) ?? [])),
          await lockAccount(trx, accountId),
        );
        await addToHistory(trx, taskId);
        await freeAudio(trx, queue, accountId, { rev, now: now(), recordingId });
        const recordingRef = { recordingId, clientFlag: recording.client_flag };
        const isSummarized = analysis && summaryFailure !== 'postponed';
        await recordWebhookEvents(trx, { queue, now }, accountId, [
          { type: 'recording.transcribed', ...recordingRef },
          ...(isSummarized ? [{ type: 'recording.summarized' as const, ...recordingRef }] : []),
        ]);
        await notifyOfTranscript(trx, { queue, now }, { accountId, recordingId });
        await mailTranscript(trx, { queue, now }, { accountId, recordingId });
        return cost;
      };
      return finishOnce(taskId, 'transcribed', end, () => {
        if (analysis === undefined || summaryFailure === 'postponed') return;
        onSummary?.(summaryFailure ?? 'summarized');
      });
    },

    fail: (taskId, failure) =>
      finishOnce(taskId, failure, async (trx, task, rev) => {
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
        await deleteTaskData(trx, task);
        await trx
          .updateTable('recordings')
          .set({ rev, updated_at: now() })
          .where('id', '=', task.recording_id)
          .execute();
        await addToHistory(trx, taskId);
        const { account_id: accountId, recording_id: recordingId } = task;
        // If a whole transcription failed, keep the audio for another attempt.
        if (task.range) await freeAudio(trx, queue, accountId, { rev, now: now(), recordingId });
        return 0;
      }),
  };
}
