import type { CallData, CallInput, Recording } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { sql } from 'kysely';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Operations } from '../sync/operations.ts';
import { isDeleted } from '../sync/tombstones.ts';
import { listHistory } from './history.ts';
import type { LatestTask, Sign } from './view.ts';
import { recordingColumns, taskHeadColumns, toRecording, toTaskHead } from './view.ts';

/** Lists, edits and deletes an account's recordings. Implements the API calls. */
export interface RecordingService {
  /**
   * Lists recordings, newest first. Without IDs, excludes those in the recycle bin. `archived` determines whether
   * archived ones are included.
   */
  list(
    accountId: string,
    query: CallInput<'task/index'>,
    sign: Sign,
  ): Promise<CallData<'task/index'>>;
  /**
   * Finds the recording with a client flag, or null if it doesn't exist.
   * @param inspect compares the row with the store. Audio missing from the store is reported as missing, so the client
   *   uploads it again
   * @throws CallError recordingDeleted
   */
  findByFlag(
    accountId: string,
    clientFlag: string,
    sign: Sign,
    inspect: (row: Row<'recordings'>) => Promise<Row<'recordings'>>,
  ): Promise<Recording | null>;
  /**
   * Renames a recording.
   * @throws CallError notFound
   */
  rename(accountId: string, body: CallInput<'radio/rename'>, sign: Sign): Promise<Recording>;
  /**
   * Moves a recording to the recycle bin.
   * @throws CallError notFound
   */
  bin(accountId: string, id: string, sign: Sign): Promise<Recording>;
  /**
   * Restores recordings from the recycle bin, all or none.
   * @throws CallError notFound
   */
  recover(accountId: string, ids: readonly string[]): Promise<string[]>;
  /**
   * Permanently deletes recordings, all or none.
   * @throws CallError notFound
   */
  erase(accountId: string, ids: readonly string[]): Promise<string[]>;
  /** Lists the account's transcriptions, newest first. */
  history(
    accountId: string,
    query: CallInput<'radio/translateHistory'>,
  ): Promise<CallData<'radio/translateHistory'>>;
}

export function createRecordingService(db: Database, operations: Operations): RecordingService {
  /** Applies an edit to each recording and returns the result of `read`, in a single transaction. */
  function editRecordings<Result>(
    accountId: string,
    ids: readonly string[],
    createEdit: (clientFlag: string) => Edit,
    read: (trx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const rows = await getRecordings(trx, accountId, ids);
      const edits = rows.map(({ client_flag: clientFlag }) => createEdit(clientFlag));
      await operations.perform(trx, accountId, edits);
      return read(trx);
    });
  }

  async function readRecording(queries: Queries, accountId: string, id: string, sign: Sign) {
    const row = await getRecording(queries, accountId, id);
    return toRecording(row, (await latestTasks(queries, [row.id])).get(row.id) ?? null, sign);
  }

  const editMany = async (
    accountId: string,
    requestedIds: readonly string[],
    type: 'recording.recover' | 'recording.delete',
  ) => {
    const ids = [...new Set(requestedIds.map((id) => id.toLowerCase()))];
    await editRecordings(
      accountId,
      ids,
      (recording) => ({ type, recording }),
      async () => undefined,
    );
    return ids;
  };

  return {
    rename: (accountId, { id, name }, sign) =>
      editRecordings(
        accountId,
        [id],
        (recording) => ({ type: 'recording.rename', recording, name }),
        (trx) => readRecording(trx, accountId, id, sign),
      ),

    bin: (accountId, id, sign) =>
      editRecordings(
        accountId,
        [id],
        (recording) => ({ type: 'recording.bin', recording }),
        (trx) => readRecording(trx, accountId, id, sign),
      ),

    recover: (accountId, ids) => editMany(accountId, ids, 'recording.recover'),
    erase: (accountId, ids) => editMany(accountId, ids, 'recording.delete'),
    history: (accountId, query) => listHistory(db, accountId, query),

    async list(accountId, { limit, page, ids, archived }, sign) {
      const validIds = ids?.filter(isId);
      const selectRecordings = () =>
        db
          .selectFrom('recordings')
          .where('recordings.account_id', '=', accountId)
          // Lookups by ID include the recycle bin.
          .$if(validIds === undefined, (query) => query.where('is_del', '=', 0))
          .$if(archived !== 'with', (query) =>
            query.where('is_archived', '=', archived === 'only' ? 1 : 0),
          )
          .$if(validIds !== undefined, (query) =>
            query.where('recordings.id', '=', sql<string>`any(${validIds ?? []}::uuid[])`),
          );
      // Only the recordings of the page are read. The others are skipped in the index.
      const pageIds = selectRecordings()
        .select('recordings.id')
        .orderBy('recorded_at', 'desc')
        .orderBy('recordings.id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit);
      const rows = await db
        .selectFrom(pageIds.as('page'))
        .innerJoin('recordings', 'recordings.id', 'page.id')
        .leftJoinLateral(
          ({ selectFrom }) =>
            selectFrom('tasks')
              .select('id as task_id')
              .select(taskHeadColumns)
              .whereRef('recording_id', '=', 'recordings.id')
              .orderBy('created_at', 'desc')
              .orderBy('tasks.id', 'desc')
              .limit(1)
              .as('task'),
          (join) => join.onTrue(),
        )
        .select(recordingColumns.map((column) => `recordings.${column}` as const))
        .select(['task_id', ...taskHeadColumns.map((column) => `task.${column}` as const)])
        .orderBy('recorded_at', 'desc')
        .orderBy('recordings.id', 'desc')
        .execute();
      const list = rows.map((row) => {
        const { task_id: id, language, status } = row;
        const task: LatestTask | null =
          id !== null && language !== null && status !== null
            ? {
                id,
                language,
                range: row.range,
                status,
                progress: row.progress ?? 0,
                step: row.step,
                step_done: row.step_done ?? 0,
                waiting_since: row.waiting_since,
                error_code: row.error_code,
              }
            : null;
        return Object.assign(toRecording(row, task, sign), { task: task && toTaskHead(task) });
      });
      // If the first page isn't full, it's the complete list, so there's no need to count.
      if (page === 1 && list.length < limit) return { list, total: list.length, page, limit };
      const { total } = await selectRecordings()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { list, total, page, limit };
    },

    async findByFlag(accountId, clientFlag, sign, inspect) {
      const row = await findRecordingByFlag(db, accountId, clientFlag);
      if (!row) {
        if (await isDeleted(db, accountId, clientFlag)) throw new CallError('recordingDeleted');
        return null;
      }
      const task = (await latestTasks(db, [row.id])).get(row.id) ?? null;
      return toRecording(await inspect(row), task, sign);
    },
  };
}

/**
 * Returns one of the account's recordings.
 * @throws CallError notFound, even if the recording exists but belongs to another account
 */
export async function getRecording(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<Row<'recordings'>> {
  const [row] = await getRecordings(queries, accountId, [id]);
  if (!row) throw new CallError('notFound');
  return row;
}

/**
 * Returns several recordings. Each ID must occur only once.
 * @throws CallError notFound if any of the recordings doesn't exist
 */
async function getRecordings(
  queries: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<Row<'recordings'>[]> {
  if (!ids.every(isId)) throw new CallError('notFound');
  const rows = await queries
    .selectFrom('recordings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  if (rows.length < ids.length) throw new CallError('notFound');
  return rows;
}

/** Finds a recording by its client flag, which is the same on all devices. */
export function findRecordingByFlag(
  queries: Queries,
  accountId: string,
  clientFlag: string,
): Promise<Row<'recordings'> | undefined> {
  return queries
    .selectFrom('recordings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('client_flag', '=', clientFlag)
    .executeTakeFirst();
}

/** Returns the recordings' latest tasks, keyed by recording ID. */
export async function latestTasks(
  queries: Queries,
  recordingIds: readonly string[],
): Promise<Map<string, LatestTask>> {
  if (recordingIds.length === 0) return new Map();
  const rows = await queries
    .selectFrom('tasks')
    .distinctOn('recording_id')
    .select(['recording_id', 'id', ...taskHeadColumns])
    .where('recording_id', '=', sql<string>`any(${recordingIds}::uuid[])`)
    .orderBy('recording_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.recording_id, row]));
}
