import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { hmac } from '../secrets.ts';
import { CallError } from './failure.ts';

export interface Limit {
  /** What is counted, such as `login`. */
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

/** Attempts that are slowed down rather than refused: some are free, then each waits twice as long as the last. */
export interface Pace {
  readonly name: string;
  /** Attempts in a day that wait for nothing. */
  readonly free: number;
  /** Seconds before the first attempt beyond. */
  readonly firstWait: number;
  /** The longest wait, in seconds: what somebody has to put up with, and what bounds a day's attempts. */
  readonly longestWait: number;
}

/** Seconds after which a subject's attempts begin anew. */
const paceSeconds = 86_400;

/** Counts attempts in the database, so that all processes count together. */
export interface RateLimiter {
  /**
   * Counts one attempt, or so many units of something.
   * @param subject whose attempts are counted; only a keyed hash of it is stored
   * @throws CallError tooManyRequests
   */
  take(limit: Limit, subject: string, amount?: number): Promise<void>;
  /**
   * Counts one attempt, unless it comes too early: that one changes nothing.
   * @throws CallError tooManyRequests, with the time to wait
   */
  pace(pace: Pace, subject: string): Promise<void>;
  /** Forgets the attempts of a subject, after it proved itself. */
  forget(limit: Pick<Limit, 'name'>, subject: string): Promise<void>;
}

export function createRateLimiter(db: Database, key: Uint8Array): RateLimiter {
  const keyOf = ({ name }: Pick<Limit, 'name'>, subject: string) =>
    `${name}:${hmac(key, subject).toString('base64url')}`;
  return {
    async take(limit, subject, amount = 1) {
      const over = sql<boolean>`rate_windows.started_at < now() - make_interval(secs => ${limit.seconds})`;
      const { count, wait } = await db
        .insertInto('rate_windows')
        .values({ key: keyOf(limit, subject), count: amount })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            count: sql`case when ${over} then ${amount} else rate_windows.count + ${amount} end`,
            started_at: sql`case when ${over} then now() else rate_windows.started_at end`,
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
      throw new CallError('tooManyRequests', `Too many attempts; try again in ${minutes} min.`);
    },

    async pace({ free, firstWait, longestWait, ...limit }, subject) {
      const key = keyOf(limit, subject);
      const over = sql<boolean>`rate_windows.started_at < now() - make_interval(secs => ${paceSeconds})`;
      // Doubling from the first attempt beyond the free ones; the exponent is bounded for the arithmetic's sake.
      const wait = sql<number>`least(${longestWait}, ${firstWait} * power(2, least(rate_windows.count - ${free}, 30)))`;
      const due = sql<Date>`rate_windows.last_at + make_interval(secs => ${wait})`;
      const counted = await db
        .insertInto('rate_windows')
        .values({ key, count: 1 })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({
              count: sql`case when ${over} then 1 else rate_windows.count + 1 end`,
              started_at: sql`case when ${over} then now() else rate_windows.started_at end`,
              last_at: sql`now()`,
            })
            .where(sql<boolean>`${over} or rate_windows.count < ${free} or ${due} <= now()`),
        )
        .returning('count')
        .executeTakeFirst();
      if (counted) return;
      const { left } = await db
        .selectFrom('rate_windows')
        .select(sql<number>`ceil(extract(epoch from ${due} - now()))::int`.as('left'))
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      const time = left <= 90 ? `${Math.max(left, 1)} s` : `${Math.ceil(left / 60)} min`;
      throw new CallError('tooManyRequests', `Too many attempts; try again in ${time}.`);
    },

    async forget(limit, subject) {
      await db.deleteFrom('rate_windows').where('key', '=', keyOf(limit, subject)).execute();
    },
  };
}
