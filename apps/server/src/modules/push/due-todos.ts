/** Looks up to-dos that are due today, in the morning of their owner. */
import { todosHour } from '@linnet/contract/notifications';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { dayOf, localTime, nextLocalHour } from '../../calendar.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { toEntries } from '../calendar/entries.ts';
import type { RecordedTime } from '../recording/owners-time.ts';
import { displayName } from '../recording/view.ts';
import { latestSummary } from '../task/latest-transcript.ts';

/** A to-do that is open and due on a day. */
export interface DueTodo {
  readonly text: string;
  /** Its paragraph in the app. */
  readonly url: string;
  readonly recording: RecordedTime & { readonly client_flag: string };
}

/** Number of the latest recordings with due to-dos that are read. */
const maxRecordings = 100;
/** Number of rows that are read at a time. */
const batchSize = 100;
/** Time in milliseconds after which a lookup that has failed is repeated. */
const retryMs = 3_600_000;

/**
 * Returns an account's open to-dos that are due on a day, those of the latest recordings first.
 * @param day such as `2026-11-21`
 */
export async function findDueTodos(
  queries: Queries,
  { accountId, day, origin }: { accountId: string; day: string; origin: string },
): Promise<DueTodo[]> {
  const recordings = await queries
    .selectFrom('recordings')
    .innerJoinLateral(latestSummary, (join) => join.onTrue())
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

/** The columns with which a row requests lookups of due to-dos. */
type LookupColumns = Pick<Row<'push_subscriptions'>, 'todos_at' | 'todos_day'>;

/** The rows of a table whose owners are notified of due to-dos in their morning. */
export interface TodoLookups {
  /** How owners are notified, for the log. */
  readonly by: 'push' | 'mail';
  /** Returns the ids of rows whose time has come, earliest first. */
  due(db: Database, time: Date, limit: number): Promise<readonly string[]>;
  /**
   * Locks a row. An owner is notified only if `is_active`.
   * @returns undefined if its time hasn't come, for example because another worker has looked up its to-dos
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
  /** Changes a row, unless its time hasn't come. */
  set(queries: Queries, id: string, time: Date, values: Partial<LookupColumns>): Promise<void>;
  /** Requests a notification of the to-dos of a day. */
  request(
    queue: Queue,
    trx: Transaction,
    id: string,
    event: { readonly day: string; readonly at: string },
  ): Promise<void>;
}

export interface NotifyTodosParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly origin: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Requests notifications for all rows of a table whose owner's morning has come. Returns their number. */
export async function notifyDueTodos(
  parts: NotifyTodosParts,
  lookups: TodoLookups,
  signal: AbortSignal,
): Promise<number> {
  const { db, now } = parts;
  let count = 0;
  for (;;) {
    const due = await lookups.due(db, now(), batchSize);
    for (const id of due) {
      signal.throwIfAborted();
      if (await tryNotifyOne(parts, lookups, id, signal)) count += 1;
    }
    if (due.length < batchSize) return count;
  }
}

/** Like {@link notifyOne}, but an error of one row, such as an unknown time zone, only delays this one. */
async function tryNotifyOne(
  parts: NotifyTodosParts,
  lookups: TodoLookups,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await notifyOne(parts, lookups, id);
  } catch (error) {
    signal.throwIfAborted();
    const { db, log, now } = parts;
    log.error({ id, by: lookups.by, code: codeOf(error) }, 'due to-dos could not be looked up');
    const time = now();
    // Fails as well if the database can't be reached, and ends the run.
    await lookups.set(db, id, time, { todos_at: new Date(time.getTime() + retryMs) });
    return false;
  }
}

/** Returns the code of an error, or its name. Its message may quote a summary. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Requests the notification of one row, if there are to-dos, and sets when the next ones are looked up. */
async function notifyOne(
  { db, queue, origin, now }: NotifyTodosParts,
  lookups: TodoLookups,
  id: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const time = now();
    const row = await lookups.lock(trx, id, time);
    if (!row) return false;
    const { account_id: accountId, time_zone: timeZone, is_active: isActive } = row;
    const local = localTime(time, timeZone);
    const day = dayOf(local);
    // The server may not have run in the morning, and it may be the night after it.
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
 * Returns when the to-dos of a row that is changed are looked up next. Without a lookup before, this is the next morning.
 * In a new time zone, it is at once if the owner has traveled past the morning, unless those of the day, or of a later one,
 * were looked up before.
 * @param former the row before the change, if there is one
 */
export function nextLookup(
  time: Date,
  timeZone: string,
  former: (LookupColumns & Pick<Row<'push_subscriptions'>, 'time_zone'>) | undefined,
): Date {
  const nextMorning = nextLocalHour(time, todosHour, timeZone);
  if (!former?.todos_at) return nextMorning;
  if (former.time_zone === timeZone) return former.todos_at;
  const local = localTime(time, timeZone);
  const isMissed = local.getUTCHours() >= todosHour && !wasLookedUp(dayOf(local), former.todos_day);
  return isMissed ? time : nextMorning;
}

const wasLookedUp = (day: string, lastDay: string | null): boolean =>
  lastDay !== null && lastDay >= day;
