/** Looks up to-dos that are due today, in the morning of their owner. */
import { todosHour } from '@linnet/contract/notifications';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { dayOf, localTime, nextLocalHour } from '../../calendar.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { toEntries } from '../calendar/entries.ts';
import { displayName } from '../recording/view.ts';
import { latestSummary } from '../task/latest-transcript.ts';

/** A to-do that is open and due on a day. */
export interface DueTodo {
  readonly text: string;
  /** Its paragraph in the app. */
  readonly url: string;
  /** The recording. */
  readonly clientFlag: string;
}

/** Number of the latest recordings with due to-dos that are read. */
const maxRecordings = 100;
/** Number of subscriptions that are read at a time. */
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
    .select(['client_flag', 'ticks', 'summary_json', displayName.as('title')])
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
      .map(({ text, url }) => ({ text, url, clientFlag: recording.client_flag })),
  );
}

export interface NotifyTodosParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly origin: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Requests notifications for all subscriptions whose morning has come. Returns their number. */
export async function notifyDueTodos(
  parts: NotifyTodosParts,
  signal: AbortSignal,
): Promise<number> {
  const { db, now } = parts;
  let count = 0;
  for (;;) {
    const due = await db
      .selectFrom('push_subscriptions')
      .select('session_id')
      .where('todos_at', '<=', now())
      .orderBy('todos_at')
      .limit(batchSize)
      .execute();
    for (const { session_id: sessionId } of due) {
      signal.throwIfAborted();
      if (await tryNotifyOne(parts, sessionId, signal)) count += 1;
    }
    if (due.length < batchSize) return count;
  }
}

/** Like {@link notifyOne}, but an error of one subscription, such as an unknown time zone, only delays this one. */
async function tryNotifyOne(
  parts: NotifyTodosParts,
  sessionId: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await notifyOne(parts, sessionId);
  } catch (error) {
    signal.throwIfAborted();
    const { db, log, now } = parts;
    log.error({ sessionId, code: codeOf(error) }, 'due to-dos could not be looked up');
    // Fails as well if the database can't be reached, and ends the run.
    await db
      .updateTable('push_subscriptions')
      .set({ todos_at: new Date(now().getTime() + retryMs) })
      .where('session_id', '=', sessionId)
      .where('todos_at', '<=', now())
      .execute();
    return false;
  }
}

/** Returns the code of an error, or its name. Its message may quote a summary. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Requests the notification of one subscription, if there are to-dos, and sets when the next ones are looked up. */
async function notifyOne(
  { db, queue, origin, now }: NotifyTodosParts,
  sessionId: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const time = now();
    const subscription = await trx
      .selectFrom('push_subscriptions')
      .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
      .select(['push_subscriptions.account_id', 'time_zone', 'todos_day', 'revoked_at'])
      .where('session_id', '=', sessionId)
      .where('todos_at', '<=', time)
      .forUpdate('push_subscriptions')
      .executeTakeFirst();
    if (!subscription) return false;
    const { account_id: accountId, time_zone: timeZone, revoked_at: revokedAt } = subscription;
    const local = localTime(time, timeZone);
    const day = dayOf(local);
    // The server may not have run in the morning, and it may be the night after it.
    const isLookedUp =
      revokedAt === null &&
      local.getUTCHours() >= todosHour &&
      !wasLookedUp(day, subscription.todos_day);
    await trx
      .updateTable('push_subscriptions')
      .set({
        todos_at: nextLocalHour(time, todosHour, timeZone),
        ...(isLookedUp && { todos_day: day }),
      })
      .where('session_id', '=', sessionId)
      .execute();
    if (!isLookedUp) return false;
    const todos = await findDueTodos(trx, { accountId, day, origin });
    if (todos.length === 0) return false;
    await queue.enqueue(trx, 'send-push', {
      ...{ kind: 'todos', sessionId, day, at: time.toISOString() },
    });
    return true;
  });
}

/**
 * Returns when the to-dos are looked up next in a new time zone: at once if the owner has traveled past the morning,
 * unless those of the day, or of a later one, were looked up before.
 * @param lastDay the last day that was looked up
 */
export function nextLookup(time: Date, timeZone: string, lastDay: string | null): Date {
  const local = localTime(time, timeZone);
  const isMissed = local.getUTCHours() >= todosHour && !wasLookedUp(dayOf(local), lastDay);
  return isMissed ? time : nextLocalHour(time, todosHour, timeZone);
}

const wasLookedUp = (day: string, lastDay: string | null): boolean =>
  lastDay !== null && lastDay >= day;
