import type { CallData, CallInput } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { getScene, taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { activeStatuses } from '../task/active-tasks.ts';
import { toFailure } from '../task/view.ts';
import { displayName } from './view.ts';

type Entry = Pick<
  Row<'transcription_history'>,
  | 'recording_id'
  | 'name'
  | 'source'
  | 'scene'
  | 'total_time'
  | 'minutes'
  | 'created_at'
  | 'updated_at'
> &
  Pick<Row<'tasks'>, 'id' | 'language' | 'status' | 'progress' | 'error_code'> & {
    /** Serial number of the recorder, or null if the recording was deleted. */
    readonly sn: string | null;
  };

/** SQL expression for the duration of the audio that a task transcribes. */
const taskSeconds = sql<number>`coalesce((tasks.range->>'end')::float8 - (tasks.range->>'start')::float8,
  recordings.total_time)`;
/** SQL expression for the language that a task transcribes. */
const taskLanguage = sql<SpokenLanguage>`coalesce(tasks.range->>'language', tasks.language)`;

/** Adds a finished task to the history, where it remains even after its recording is deleted. */
export async function addToHistory(trx: Transaction, taskId: string): Promise<void> {
  await trx
    .insertInto('transcription_history')
    .columns([
      'task_id',
      'account_id',
      'recording_id',
      'name',
      'source',
      'scene',
      'total_time',
      'language',
      'status',
      'error_code',
      'minutes',
      'created_at',
      'updated_at',
    ])
    .expression(
      trx
        .selectFrom('tasks')
        .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
        .select(['tasks.id', 'tasks.account_id', 'recordings.id as recording_id'])
        .select(displayName.as('name'))
        .select(['recordings.source', 'recordings.scene', taskSeconds.as('total_time')])
        .select([taskLanguage.as('language'), 'tasks.status', 'tasks.error_code'])
        .select(['tasks.minutes', 'tasks.created_at', 'tasks.updated_at'])
        .where('tasks.id', '=', taskId),
    )
    .execute();
}

/**
 * Deletes the transcriptions of permanently deleted recordings that ended before a time. Returns their number. The
 * charged minutes remain.
 */
export async function deleteOldHistory(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('transcription_history')
    .where('recording_id', 'is', null)
    .where('updated_at', '<', before)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Lists active and finished transcriptions, newest first. Deleted recordings appear under their last name. */
export async function listHistory(
  db: Database,
  accountId: string,
  { limit, page }: CallInput<'radio/translateHistory'>,
): Promise<CallData<'radio/translateHistory'>> {
  const endedTasks = db
    .selectFrom('transcription_history as history')
    .leftJoin('recordings', 'recordings.id', 'history.recording_id')
    .select(['history.task_id as id', 'recordings.id as recording_id'])
    .select(sql<string>`coalesce(${displayName}, history.name)`.as('name'))
    .select(['history.source', 'history.scene', 'recordings.sn', 'history.total_time'])
    .select(['history.minutes', 'history.created_at', 'history.updated_at'])
    .select(['history.language', 'history.status', 'history.error_code'])
    .select(
      sql<number>`case when status = ${taskStatus.transcribed} then 100 else 0 end`.as('progress'),
    )
    .where('history.account_id', '=', accountId);
  const activeTasks = db
    .selectFrom('tasks')
    .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
    .select(['tasks.id', 'recordings.id as recording_id', displayName.as('name')])
    .select(['recordings.source', 'recordings.scene', 'recordings.sn'])
    .select(taskSeconds.as('total_time'))
    .select(['tasks.minutes', 'tasks.created_at', 'tasks.updated_at'])
    .select([taskLanguage.as('language'), 'tasks.status', 'tasks.error_code', 'tasks.progress'])
    .where('tasks.account_id', '=', accountId)
    .where('tasks.status', 'in', activeStatuses);
  // Only the latest finished tasks are joined and sorted, because an account can have very many.
  const latestTasks = endedTasks
    .orderBy('history.created_at', 'desc')
    .orderBy('history.task_id', 'desc')
    .limit(page * limit);
  const rows = await db
    .selectFrom(
      db.selectFrom(latestTasks.as('ended')).selectAll().unionAll(activeTasks).as('entry'),
    )
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await db
    .selectNoFrom(({ fn, selectFrom }) => {
      const ended = selectFrom('transcription_history')
        .select(fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId);
      const active = selectFrom(activeTasks.as('active')).select(fn.countAll<number>().as('count'));
      return sql<number>`(${ended}) + (${active})`.as('total');
    })
    .executeTakeFirstOrThrow();
  return { list: rows.map(toEntry), total, page, limit };
}

function toEntry(row: Entry): CallData<'radio/translateHistory'>['list'][number] {
  return {
    id: row.id,
    radio_file_id: row.recording_id,
    name: row.name,
    source: row.source,
    scene: getScene(row),
    total_time: wholeSeconds(row.total_time),
    language: row.language,
    status: row.status,
    progress: row.progress,
    error: toFailure(row.error_code),
    minutes: row.minutes,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
