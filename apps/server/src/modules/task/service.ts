import type { CallData, CallInput, Task } from '@linnet/contract';
import { minutesFor } from '@linnet/contract/durations';
import { autoLanguage, type SpokenLanguage, toSpokenLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { handOverLiveSession } from '../live/service.ts';
import type { Minutes } from '../minutes/service.ts';
import { getRecording } from '../recording/service.ts';
import { hasAudio } from '../recording/stored-audio.ts';
import type { Sign } from '../recording/view.ts';
import { findGrant, isKeyInUse } from '../upload/grant-queries.ts';
import type { Caller } from '../user/access.ts';
import { isActive } from './active-tasks.ts';
import { isFreeRetranscription } from './free-retranscription.ts';
import { latestTranscript } from './latest-transcript.ts';
import { nextQueuePosition } from './queue-position.ts';
import { excludesFailedRanges, isForSameRange, measureRange, type TaskRange } from './range.ts';
import { searchRecordings } from './search.ts';
import type { TranscriptionSupport } from './transcription-support.ts';
import type { SignMindMap } from './view.ts';
import { toTask } from './view.ts';

/** Creates, returns and searches transcription tasks. */
export interface TaskService {
  /**
   * Queues a transcription. If the recording already has an active task, or a completed task with the same engine and
   * language, returns that task instead, so a client that retries after a lost response isn't charged twice. Using a
   * better engine to replace a paid draft is free.
   * @param body `again`, the ID of the completed task to repeat, forces a new transcription. If that is no longer the
   *   recording's latest task, the latest task is returned. With a range, only its paragraphs are transcribed
   * @param findSubstitute finds the object to transcribe instead of the recording's audio. Called only if a new task is
   *   created
   * @throws CallError notFound, notUploaded, languageUnavailable, notEnoughMinutes; notTranscribed, audioTooShort for a
   *   range; keyNotIssued if the account may not use the substitute object, or the object is already in use
   */
  create(
    caller: Caller,
    body: CallInput<'task/create'>,
    findSubstitute?: () => Promise<string>,
  ): Promise<CallData<'task/create'>>;
  /**
   * Queues a free transcription that replaces a draft. It runs after the ordinary tasks of all accounts.
   * @returns null if the transcription wouldn't be free, or the recording is already being transcribed
   * @throws CallError notFound, notUploaded
   */
  createIfFree(
    accountId: string,
    recordingId: string,
    language: SpokenLanguage,
  ): Promise<CallData<'task/create'> | null>;
  /**
   * Returns the cost of transcribing the recording's own audio, in minutes.
   * @throws CallError notFound, languageUnavailable
   */
  price(accountId: string, body: CallInput<'task/price'>): Promise<CallData<'task/price'>>;
  /**
   * Returns a task with its results.
   * @throws CallError notFound
   */
  detail(accountId: string, id: string, signMap: SignMindMap): Promise<Task>;
  search(
    accountId: string,
    query: CallInput<'task/search'>,
    sign: Sign,
  ): Promise<CallData<'task/search'>>;
}

export interface TaskServiceDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly transcription: TranscriptionSupport;
  readonly now: () => Date;
}

export function createTaskService({
  db,
  queue,
  minutes,
  transcription,
  now,
}: TaskServiceDependencies): TaskService {
  /**
   * Adds a task to the queue. The transaction must already hold the account's lock.
   * @throws CallError notEnoughMinutes
   */
  async function addTask(
    trx: Transaction,
    { recording, language, substituteKey, range = null, isFree, queuePosition, rev }: NewTask,
  ): Promise<CallData<'task/create'>> {
    const accountId = recording.account_id;
    const task = await trx
      .insertInto('tasks')
      .values({
        id: uuidv7(),
        recording_id: recording.id,
        account_id: accountId,
        language,
        audio_key: substituteKey,
        range: range && JSON.stringify(range),
        is_free: isFree,
        turn: queuePosition,
        rev,
        created_at: now(),
        updated_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('recordings')
      .set({ rev, updated_at: now() })
      .where('id', '=', recording.id)
      .execute();
    await handOverLiveSession(trx, minutes, recording);
    if (!isFree) {
      // Read the account under the lock: a refund may have ended its membership after the caller was authenticated.
      const account = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      const seconds = range ? range.end - range.start : recording.total_time;
      await minutes.reserve(trx, account, task.id, minutesFor(seconds));
    }
    await queue.enqueue(trx, 'transcribe', { taskId: task.id }, undefined, -queuePosition);
    return toResponse(task);
  }

  /**
   * Queues a transcription of a range of paragraphs, unless an earlier attempt at the same call has already done so.
   * @throws CallError notTranscribed; transcriptionRunning; notFound if the transcript has been replaced; notUploaded
   */
  function createForRange(
    { id, account_id: accountId }: Row<'recordings'>,
    { again, range }: RangeRequest,
    language: SpokenLanguage,
  ): Promise<CallData<'task/create'>> {
    return db.transaction().execute(async (trx) => {
      const rev = await nextRevision(trx, accountId);
      const latest = await latestTask(trx, id);
      const transcript = await latestTranscript(trx, id);
      if (!latest || !transcript) throw new CallError('notTranscribed');
      if (isForSameRange(latest, again, range, language)) return toResponse(latest);
      if (isActive(latest.status)) throw new CallError('transcriptionRunning');
      if (transcript.id !== again) throw new CallError('notFound');
      const recording = await getRecording(trx, accountId, id);
      if (!hasAudio(recording)) throw new CallError('notUploaded');
      const measured = await measureRange(trx, transcript, range, language);
      const queuePosition = await nextQueuePosition(trx, accountId);
      return addTask(trx, {
        recording,
        range: measured,
        queuePosition,
        rev,
        language: transcript.language,
        substituteKey: null,
        isFree: false,
      });
    });
  }

  /** Returns whether transcribing the recording's own audio would use a better engine to replace a paid draft. */
  const isFreeReplacement = async (
    queries: Queries,
    recording: Row<'recordings'>,
    language: SpokenLanguage,
  ): Promise<boolean> =>
    (await transcription.quality(language)) === 'good' &&
    isFreeRetranscription(queries, recording, language);

  return {
    async create({ accountId }, { id, language: requestedLanguage, again, range }, findSubstitute) {
      const recording = await getRecording(db, accountId, id);
      const language = parseLanguage(requestedLanguage);
      if (again && range) {
        const refusal = await transcription.refusal(language);
        if (refusal !== null) throw new CallError('languageUnavailable', refusal);
        return createForRange(recording, { again, range }, language);
      }
      const engine = await transcription.engine(language);
      /** Returns whether the latest task can be returned, because a new task would have the same result. */
      const isReusable = (latest: Row<'tasks'>) => {
        // Returning a task for a range would ignore the request to transcribe the whole recording.
        if (again && latest.range && isActive(latest.status)) {
          throw new CallError('transcriptionRunning');
        }
        if (again && latest.id !== again) return true;
        if (latest.status === taskStatus.failed) return false;
        if (latest.status !== taskStatus.transcribed) return true;
        if (again) return false;
        // With automatic detection, a new task would detect the same language.
        const isSameLanguage = language === autoLanguage || latest.language === language;
        return isSameLanguage && latest.engine?.split('/')[0] === engine;
      };

      const existingTask = await latestTask(db, recording.id);
      if (existingTask && isReusable(existingTask)) return toResponse(existingTask);
      if (!hasAudio(recording) && !findSubstitute) throw new CallError('notUploaded');
      const refusal = await transcription.refusal(language);
      if (refusal !== null) throw new CallError('languageUnavailable', refusal);
      const substituteKey = (await findSubstitute?.()) ?? null;

      return db.transaction().execute(async (trx) => {
        // Lock the account, so the second of two concurrent calls finds the task created by the first.
        const rev = await nextRevision(trx, accountId);
        const concurrent = await latestTask(trx, recording.id);
        if (concurrent && isReusable(concurrent)) return toResponse(concurrent);
        const current = await getRecording(trx, accountId, id);
        if (substituteKey === null) {
          if (!hasAudio(current)) throw new CallError('notUploaded');
        } else {
          const grant = await findGrant(trx, accountId, substituteKey, 'voice_file');
          if (!grant || (await isKeyInUse(trx, substituteKey))) throw new CallError('keyNotIssued');
        }
        // Substitute audio is always charged.
        const isFree = substituteKey === null && (await isFreeReplacement(trx, current, language));
        const queuePosition = await nextQueuePosition(trx, accountId);
        return addTask(trx, {
          recording: current,
          language,
          substituteKey,
          isFree,
          queuePosition,
          rev,
        });
      });
    },

    async createIfFree(accountId, recordingId, language) {
      return db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const recording = await getRecording(trx, accountId, recordingId);
        if (!hasAudio(recording)) throw new CallError('notUploaded');
        const latest = await latestTask(trx, recording.id);
        if (latest && isActive(latest.status)) return null;
        if (!(await isFreeReplacement(trx, recording, language))) return null;
        const rev = await nextRevision(trx, accountId);
        const queuePosition = await nextQueuePosition(trx, accountId, true);
        return addTask(trx, {
          recording,
          language,
          substituteKey: null,
          isFree: true,
          queuePosition,
          rev,
        });
      });
    },

    async price(accountId, { id, language: requestedLanguage }) {
      const recording = await getRecording(db, accountId, id);
      const language = parseLanguage(requestedLanguage);
      const isFree = await isFreeReplacement(db, recording, language);
      return { minutes: isFree ? 0 : minutesFor(recording.total_time) };
    },

    async detail(accountId, id, signMap) {
      const task = await findTask(db, accountId, id);
      if (!task) throw new CallError('notFound');
      const paragraphs = await db
        .selectFrom('paragraphs')
        .selectAll()
        .where('task_id', '=', task.id)
        .orderBy('ordinal')
        .execute();
      const { mind_map } = await db
        .selectFrom('recordings')
        .select('mind_map')
        .where('id', '=', task.recording_id)
        .executeTakeFirstOrThrow(() => new CallError('notFound'));
      return toTask(task, paragraphs, mind_map !== null, signMap);
    },

    search: (accountId, query, sign) => searchRecordings(db, accountId, query, sign),
  };
}

/**
 * Parses a requested language.
 * @throws CallError languageUnavailable
 */
function parseLanguage(tag: string): SpokenLanguage {
  const language = toSpokenLanguage(tag);
  if (language === undefined) {
    throw new CallError('languageUnavailable', `Unsupported language: "${tag}".`);
  }
  return language;
}

/** A request to transcribe a range. `again` is the ID of the transcript's task. */
interface RangeRequest {
  readonly again: string;
  readonly range: NonNullable<CallInput<'task/create'>['range']>;
}

interface NewTask {
  readonly recording: Row<'recordings'>;
  readonly language: SpokenLanguage;
  /** Key of the object to transcribe instead of the recording's audio. */
  readonly substituteKey: string | null;
  /** The paragraphs to transcribe, or null for the whole recording. */
  readonly range?: TaskRange | null;
  readonly isFree: boolean;
  readonly queuePosition: number;
  readonly rev: number;
}

/** Converts a task to the response of the calls that create tasks. */
export function toResponse({
  id,
  language,
  status,
  progress,
}: Row<'tasks'>): CallData<'task/create'> {
  return { id, language, status, progress };
}

/** Finds a recording's latest task, ignoring failed transcriptions of ranges. */
export function latestTask(
  queries: Queries,
  recordingId: string,
): Promise<Row<'tasks'> | undefined> {
  return queries
    .selectFrom('tasks')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where(excludesFailedRanges)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/**
 * Finds a task by its ID, or a recording's latest task by the recording's ID, ignoring failed transcriptions of ranges.
 */
export async function findTask(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<Row<'tasks'> | undefined> {
  if (!isId(id)) return undefined;
  return queries
    .selectFrom('tasks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('id', '=', id),
        where.and([where('recording_id', '=', id), excludesFailedRanges(where)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}
