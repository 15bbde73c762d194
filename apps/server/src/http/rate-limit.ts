import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { hmac } from '../secrets.ts';
import { CallError } from './failure.ts';

export interface Limit {
  /** Name of the counter, such as `login`. */
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

/** Exponential backoff for attempts. After some free attempts, the wait doubles with each attempt. */
export interface Pace {
  readonly name: string;
  /** Number of attempts per day without a wait. */
  readonly free: number;
  /** Wait before the first attempt that isn't free, in seconds. */
  readonly firstWait: number;
  /** Maximum wait in seconds. This also limits the number of attempts per day. */
  readonly longestWait: number;
}

/** Seconds after which a subject's attempts are reset. */
const paceSeconds = 86_400;

/** Counts attempts in the database, shared by all processes. */
export interface RateLimiter {
  /**
   * Counts one attempt, or `amount` units. A negative amount gives units back.
   * @param subject stored only as a keyed hash
   * @throws CallError tooManyRequests
   */
  take(limit: Limit, subject: string, amount?: number): Promise<void>;
  /**
   * Counts one attempt. Rejects an attempt that comes too early, without counting it.
   * @throws CallError tooManyRequests, with the time to wait
   */
  pace(pace: Pace, subject: string): Promise<void>;
  /** Resets a subject's attempts after it has authenticated. */
  forget(limit: Pick<Limit, 'name'>, subject: string): Promise<void>;
}

export function createRateLimiter(db: Database, key: Uint8Array): RateLimiter {
  const computeKey = ({ name }: Pick<Limit, 'name'>, subject: string) =>
    `${name}:${hmac(key, subject).toString('base64url')}`;
  return {
    async take(limit, subject, amount = 1) {
      const isExpired = sql<boolean>`rate_windows.started_at < now() - make_interval(secs => ${limit.seconds})`;
      const { count, wait } = await db
        .insertInto('rate_windows')
        .values({ key: computeKey(limit, subject), count: amount })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            count: sql`case when ${isExpired} then ${amount} else rate_windows.count + ${amount} end`,
            started_at: sql`case when ${isExpired} then now() else rate_windows.started_at end`,
          }),
        )
        .returning([
          'count',
          sql<number>`ceil(extract(epoch from started_at - now()) + ${limit.seconds})::int`.as(
            'wait',
          ),
        ])
        .executeTakeFirstOrThrow();
      if (count <= limit.count) return;
      const minutes = Math.ceil(Math.max(wait, 1) / 60);
      throw new CallError('tooManyRequests', `Too many attempts. Try again in ${minutes} min.`);
    },

    async pace({ free, firstWait, longestWait, ...limit }, subject) {
      const key = computeKey(limit, subject);
      const isExpired = sql<boolean>`rate_windows.started_at < now() - make_interval(secs => ${paceSeconds})`;
      // The wait doubles with each attempt that isn't free. The exponent is capped to avoid overflow.
      const wait = sql<number>`least(${longestWait}, ${firstWait} * power(2, least(rate_windows.count - ${free}, 30)))`;
      const nextAttemptAt = sql<Date>`rate_windows.last_at + make_interval(secs => ${wait})`;
      const accepted = await db
        .insertInto('rate_windows')
        .values({ key, count: 1 })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({
              count: sql`case when ${isExpired} then 1 else rate_windows.count + 1 end`,
              started_at: sql`case when ${isExpired} then now() else rate_windows.started_at end`,
              last_at: sql`now()`,
            })
            .where(
              sql<boolean>`(${isExpired} or rate_windows.count < ${free} or ${nextAttemptAt} <= now())`,
            ),
        )
        .returning('count')
        .executeTakeFirst();
      if (accepted) return;
      const { left: remainingSeconds } = await db
        .selectFrom('rate_windows')
        .select(sql<number>`ceil(extract(epoch from ${nextAttemptAt} - now()))::int`.as('left'))
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      const time =
        remainingSeconds <= 90
          ? `${Math.max(remainingSeconds, 1)} s`
          : `${Math.ceil(remainingSeconds / 60)} min`;
      throw new CallError('tooManyRequests', `Too many attempts. Try again in ${time}.`);
    },

    async forget(limit, subject) {
      await db.deleteFrom('rate_windows').where('key', '=', computeKey(limit, subject)).execute();
    },
  };
}
