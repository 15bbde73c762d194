import type { CallData, CallInput, Task } from '@linnet/contract';
import { autoLanguage, toBcp47 } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Queries, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Minutes } from '../minutes/service.ts';
import { minutesFor } from '../minutes/service.ts';
import { byId } from '../recording/service.ts';
import { hasAudio } from '../recording/stored-audio.ts';
import type { Sign } from '../recording/view.ts';
import { findGrant, isKeyInUse } from '../upload/grant-queries.ts';
import type { Caller } from '../user/access.ts';
import { searchRecordings } from './search.ts';
import type { TranscriptionSupport } from './transcription-support.ts';
import { nextTurn } from './turn.ts';
import { toTask } from './view.ts';

export interface TaskService {
  /**
   * Queues a transcription. Returns the existing task if one is in progress for the recording, or was completed by
   * this engine in this language, so that a retry after a lost response never charges twice.
   * @param body `again` forces a new transcription: the id of the completed task to repeat. If the recording has a newer
   *   task by then, that task is returned instead
   * @param otherAudio finds the object to transcribe in place of the recording's audio; called only when a task is
   *   created
   * @throws CallError notFound, notUploaded, languageUnavailable, notEnoughMinutes; keyNotIssued for an
   *   object that the account may not use, or that is already in use
   */
  create(
    caller: Caller,
    body: CallInput<'task/create'>,
    otherAudio?: () => Promise<string>,
  ): Promise<CallData<'task/create'>>;
  /** @throws CallError notFound */
  detail(accountId: string, id: string): Promise<Task>;
  search(
    accountId: string,
    query: CallInput<'task/search'>,
    sign: Sign,
  ): Promise<CallData<'task/search'>>;
}

export interface TaskServiceParts {
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
}: TaskServiceParts): TaskService {
  return {
    async create({ accountId }, { id, language: requestedLanguage, again }, otherAudio) {
      const recording = await byId(db, accountId, id);
      const language =
        requestedLanguage === autoLanguage ? autoLanguage : toBcp47(requestedLanguage);
      if (language === undefined) {
        throw new CallError('languageUnavailable', `Unsupported language: "${requestedLanguage}".`);
      }
      const engine = await transcription.engine(language);
      /** Whether to return the recording's latest task instead of creating one with the same result. */
      const isReusable = (latest: Row<'tasks'>) => {
        if (again && latest.id !== again) return true;
        if (latest.status === taskStatus.failed) return false;
        if (latest.status !== taskStatus.transcribed) return true;
        if (again) return false;
        // With `auto`, the engine would detect the same language again.
        const isSameLanguage = language === autoLanguage || latest.language === language;
        return isSameLanguage && latest.engine?.split('/')[0] === engine;
      };

      const earlier = await latestTask(db, recording.id);
      if (earlier && isReusable(earlier)) return head(earlier);
      if (!hasAudio(recording) && !otherAudio) throw new CallError('notUploaded');
      const refusal = await transcription.refusal(language);
      if (refusal !== null) throw new CallError('languageUnavailable', refusal);
      const audioKey = (await otherAudio?.()) ?? null;

      return db.transaction().execute(async (trx) => {
        // Locks the account, so that the second of two concurrent calls finds the task of the first.
        const rev = await nextRevision(trx, accountId);
        const concurrent = await latestTask(trx, recording.id);
        if (concurrent && isReusable(concurrent)) return head(concurrent);
        const current = await byId(trx, accountId, id);
        if (audioKey === null) {
          if (!hasAudio(current)) throw new CallError('notUploaded');
        } else {
          const grant = await findGrant(trx, accountId, audioKey, 'voice_file');
          if (!grant || (await isKeyInUse(trx, audioKey))) throw new CallError('keyNotIssued');
        }
        const turn = await nextTurn(trx, accountId);
        const task = await trx
          .insertInto('tasks')
          .values({
            id: uuidv7(),
            recording_id: recording.id,
            account_id: accountId,
            language,
            audio_key: audioKey,
            turn,
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
        // The account was read before the lock; a refund may have ended its VIP since.
        const account = await trx
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow();
        await minutes.reserve(trx, account, task.id, minutesFor(current.total_time));
        await queue.enqueue(trx, 'transcribe', { taskId: task.id }, undefined, -turn);
        return head(task);
      });
    },

    async detail(accountId, id) {
      const task = await findTask(db, accountId, id);
      if (!task) throw new CallError('notFound');
      const paragraphs = await db
        .selectFrom('paragraphs')
        .selectAll()
        .where('task_id', '=', task.id)
        .orderBy('ordinal')
        .execute();
      return toTask(task, paragraphs);
    },

    search: (accountId, query, sign) => searchRecordings(db, accountId, query, sign),
  };
}

function head({ id, language, status, progress }: Row<'tasks'>): CallData<'task/create'> {
  return { id, language, status, progress };
}

function latestTask(queries: Queries, recordingId: string): Promise<Row<'tasks'> | undefined> {
  return queries
    .selectFrom('tasks')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Finds a task by its own id, or the latest task by its recording's id. */
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
    .where((where) => where.or([where('id', '=', id), where('recording_id', '=', id)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}
