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
import { issuedGrant, isUsed } from '../upload/issued.ts';
import type { Caller } from '../user/access.ts';
import type { Hearing } from './hearing.ts';
import { searchRecordings } from './search.ts';
import { nextTurn } from './turn.ts';
import { toTask } from './view.ts';

export interface TaskService {
  /**
   * Queues a transcription. While one of the recording is under way, or done by this engine in this
   * language, that one is answered: a retry after a lost reply never charges twice. `again` names the
   * latest task, which is done, to have a new one made; when another is the latest by then, that one
   * is answered.
   * @param otherAudio finds the object to hear in place of the recording's audio; asked only when a task
   *   is made
   * @throws CallError notFound, notUploaded, languageUnavailable, notEnoughMinutes; keyNotIssued for an
   *   object that was not issued to the account, or is something else by now
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
  readonly hearing: Hearing;
  readonly now: () => Date;
}

export function createTaskService({
  db,
  queue,
  minutes,
  hearing,
  now,
}: TaskServiceParts): TaskService {
  return {
    async create({ accountId }, { id, language: asked, again }, otherAudio) {
      const recording = await byId(db, accountId, id);
      const language = asked === autoLanguage ? autoLanguage : toBcp47(asked);
      if (language === undefined) {
        throw new CallError('languageUnavailable', `There is no language "${asked}" here.`);
      }
      const engine = await hearing.engine(language);
      /** Whether the latest task is the answer: asking for another would only do the same again. */
      const answers = (latest: Row<'tasks'>) => {
        if (again && latest.id !== again) return true;
        if (latest.status === taskStatus.failed) return false;
        if (latest.status !== taskStatus.transcribed) return true;
        if (again) return false;
        // Of `auto` the engine made a language: which one it would hear is what it heard.
        const same = language === autoLanguage || latest.language === language;
        return same && latest.engine?.split('/')[0] === engine;
      };

      const earlier = await latestTask(db, recording.id);
      if (earlier && answers(earlier)) return head(earlier);
      if (!hasAudio(recording) && !otherAudio) throw new CallError('notUploaded');
      const refusal = await hearing.refusal(language);
      if (refusal !== null) throw new CallError('languageUnavailable', refusal);
      const audioKey = (await otherAudio?.()) ?? null;

      return db.transaction().execute(async (trx) => {
        // Locks the account: of two creates at once the second finds the first one's task.
        const rev = await nextRevision(trx, accountId);
        const meanwhile = await latestTask(trx, recording.id);
        if (meanwhile && answers(meanwhile)) return head(meanwhile);
        const present = await byId(trx, accountId, id);
        if (audioKey === null) {
          if (!hasAudio(present)) throw new CallError('notUploaded');
        } else {
          const grant = await issuedGrant(trx, accountId, audioKey, 'voice_file');
          if (!grant || (await isUsed(trx, audioKey))) throw new CallError('keyNotIssued');
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
        // The caller's account was read before the lock: a refund may have ended its VIP since.
        const account = await trx
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow();
        await minutes.reserve(trx, account, task.id, minutesFor(present.total_time));
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

/** By the task's own id, or the recording's for its latest. */
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
