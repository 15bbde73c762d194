import type { CallData, CallInput, Recording } from '@linnet/contract';
import { sql } from 'kysely';
import type { Database, Queries, Row } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import { isDeleted } from '../sync/tombstones.ts';
import type { LatestTask } from './view.ts';
import { toRecording, toTaskHead } from './view.ts';

export interface RecordingService {
  list(
    accountId: string,
    query: CallInput<'task/index'>,
    sign: (key: string) => string,
  ): Promise<CallData<'task/index'>>;
  /** @throws CallError recordingDeleted */
  findByFlag(
    accountId: string,
    clientFlag: string,
    sign: (key: string) => string,
  ): Promise<Recording | null>;
}

export function createRecordingService(db: Database): RecordingService {
  return {
    async list(accountId, { limit, page, ids }, sign) {
      const known = ids?.filter(isId);
      const ours = () =>
        db
          .selectFrom('recordings')
          .where('account_id', '=', accountId)
          // Asked for by id, a recording in the bin is found too.
          .$if(known === undefined, (query) => query.where('is_del', '=', 0))
          .$if(known !== undefined, (query) =>
            query.where('id', '=', sql<string>`any(${known ?? []}::uuid[])`),
          );
      const { total } = await ours()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await ours()
        .selectAll()
        .orderBy('recorded_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const tasks = await latestTasks(
        db,
        rows.map(({ id }) => id),
      );
      const list = rows.map((row) => {
        const task = tasks.get(row.id) ?? null;
        return { ...toRecording(row, task, sign), task: task && toTaskHead(task) };
      });
      return { list, total, page, limit };
    },

    async findByFlag(accountId, clientFlag, sign) {
      const row = await byFlag(db, accountId, clientFlag);
      if (!row) {
        if (await isDeleted(db, accountId, clientFlag)) throw new CallError('recordingDeleted');
        return null;
      }
      return toRecording(row, (await latestTasks(db, [row.id])).get(row.id) ?? null, sign);
    },
  };
}

/** A recording by the identity it has everywhere. */
export function byFlag(
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

/** The latest task of each recording that has one. */
export async function latestTasks(
  queries: Queries,
  recordingIds: readonly string[],
): Promise<Map<string, LatestTask>> {
  if (recordingIds.length === 0) return new Map();
  const rows = await queries
    .selectFrom('tasks')
    .distinctOn('recording_id')
    .select(['recording_id', 'id', 'language', 'status', 'progress', 'error_code'])
    .where('recording_id', '=', sql<string>`any(${recordingIds}::uuid[])`)
    .orderBy('recording_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.recording_id, row]));
}
