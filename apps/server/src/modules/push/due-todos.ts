/** Looks up to-dos due today, in the morning of the user's time zone. */
import { todosHour } from '@linnet/contract/notifications';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { formatDay, localTime, nextLocalHour } from '../../calendar.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { toEntries } from '../calendar/entries.ts';
import type { RecordedTime } from '../recording/user-time.ts';
import { displayName } from '../recording/view.ts';
import { selectLatestTranscript } from '../task/latest-transcript.ts';

/** An open to-do that is due on a day. */
export interface DueTodo {
  readonly text: string;
  /** URL of its paragraph in the app. */
  readonly url: string;
  readonly recording: RecordedTime & { readonly client_flag: string };
}

/** Maximum number of recordings with due to-dos to read. The latest are read. */
const maxRecordings = 100;
/** Number of rows read at a time. */
const batchSize = 100;
/** Delay before a failed lookup is retried, in milliseconds. */
const retryMs = 3_600_000;

/**
 * Returns an account's open to-dos that are due on a day. The to-dos of the latest recordings come first.
 * @param day such as `2026-11-21`
 */
export async function findDueTodos(
  queries: Queries,
  { accountId, day, origin }: { accountId: string; day: string; origin: string },
): Promise<DueTodo[]> {
  const recordings = await queries
    .selectFrom('recordings')
    .innerJoinLateral(selectLatestTranscript, (join) => join.onTrue())
    .select(['client_flag', 'recorded_at', 'utc_offset', 'ticks', 'summary_json'])
    .select(displayName.as('title'))
    .where('recordings.account_id', '=', accountId)
    .where('is_del', '=', 0)
    .where(
      sql<boolean>`jsonb_path_exists(transcript.summary_json, '$.todos[*] ? (@.due == $day)',
        jsonb_build_object('day', ${day}::text))`,
    )
    .orderBy('recorded_at', 'desc')
    .orderBy('recordings.id', 'desc')
    .limit(maxRecordings)
    .execute();
  return recordings.flatMap((recording) =>
    toEntries(recording, origin)
      .todos.filter(({ due, done }) => due === day && !done)
      .map(({ text, url }) => ({ text, url, recording })),
  );
}

/** The columns that schedule a row's lookups of due to-dos. */
type LookupColumns = Pick<Row<'push_subscriptions'>, 'todos_at' | 'todos_day'>;

/** The rows of a table whose users are notified of due to-dos in the morning. */
export interface TodoLookups {
  /** How users are notified, for the log. */
  readonly by: 'push' | 'mail';
  /** Returns the IDs of the rows that are due, earliest first. */
  due(db: Database, time: Date, limit: number): Promise<readonly string[]>;
  /**
   * Locks a row. Its user is notified only if `is_active`.
   * @returns undefined if the row isn't due, for example because another worker has already looked up its to-dos
   */
  lock(
    trx: Transaction,
    id: string,
    time: Date,
  ): Promise<
    | (Pick<Row<'push_subscriptions'>, 'account_id' | 'time_zone' | 'todos_day'> & {
        readonly is_active: boolean;
      })
    | undefined
  >;
  /** Updates a row if it is due. */
  set(queries: Queries, id: string, time: Date, values: Partial<LookupColumns>): Promise<void>;
  /** Requests a notification of a day's to-dos. */
  request(
    queue: Queue,
    trx: Transaction,
    id: string,
    event: { readonly day: string; readonly at: string },
  ): Promise<void>;
}

export interface NotifyTodosDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly origin: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Requests notifications for all due rows of a table. Returns the number of notifications. */
export async function notifyDueTodos(
  deps: NotifyTodosDependencies,
  lookups: TodoLookups,
  signal: AbortSignal,
): Promise<number> {
  const { db, now } = deps;
  let count = 0;
  for (;;) {
    const dueIds = await lookups.due(db, now(), batchSize);
    for (const id of dueIds) {
      signal.throwIfAborted();
      if (await tryNotifyOne(deps, lookups, id, signal)) count += 1;
    }
    if (dueIds.length < batchSize) return count;
  }
}

/** Like {@link notifyOne}, but an error, such as an unknown time zone, delays only this row. */
async function tryNotifyOne(
  deps: NotifyTodosDependencies,
  lookups: TodoLookups,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await notifyOne(deps, lookups, id);
  } catch (error) {
    signal.throwIfAborted();
    const { db, log, now } = deps;
    log.error(
      { id, by: lookups.by, code: getErrorCode(error) },
      'due to-dos could not be looked up',
    );
    const time = now();
    // This also fails if the database is unreachable, which ends the run.
    await lookups.set(db, id, time, { todos_at: new Date(time.getTime() + retryMs) });
    return false;
  }
}

/** Returns an error's code or name. Its message may quote a summary. */
function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Requests one row's notification if there are due to-dos, and schedules the next lookup. */
async function notifyOne(
  { db, queue, origin, now }: NotifyTodosDependencies,
  lookups: TodoLookups,
  id: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const time = now();
    const row = await lookups.lock(trx, id, time);
    if (!row) return false;
    const { account_id: accountId, time_zone: timeZone, is_active: isActive } = row;
    const local = localTime(time, timeZone);
    const day = formatDay(local);
    // The server may have been down in the morning, and it may now be the following night.
    const isLookedUp =
      isActive && local.getUTCHours() >= todosHour && !wasLookedUp(day, row.todos_day);
    await lookups.set(trx, id, time, {
      todos_at: nextLocalHour(time, todosHour, timeZone),
      ...(isLookedUp && { todos_day: day }),
    });
    if (!isLookedUp) return false;
    const todos = await findDueTodos(trx, { accountId, day, origin });
    if (todos.length === 0) return false;
    await lookups.request(queue, trx, id, { day, at: time.toISOString() });
    return true;
  });
}

/**
 * Returns when the to-dos of a changed row are looked up next. Without an earlier lookup, that is the next morning. In
 * a new time zone, it is now if the user has traveled past the morning, unless the to-dos of that or a later day were
 * already looked up.
 * @param former the row before the change, if it existed
 */
export function nextLookup(
  time: Date,
  timeZone: string,
  previous: (LookupColumns & Pick<Row<'push_subscriptions'>, 'time_zone'>) | undefined,
): Date {
  const nextMorning = nextLocalHour(time, todosHour, timeZone);
  if (!previous?.todos_at) return nextMorning;
  if (previous.time_zone === timeZone) return previous.todos_at;
  const local = localTime(time, timeZone);
  const isMissed =
    local.getUTCHours() >= todosHour && !wasLookedUp(formatDay(local), previous.todos_day);
  return isMissed ? time : nextMorning;
}

const wasLookedUp = (day: string, lastDay: string | null): boolean =>
  lastDay !== null && lastDay >= day;
