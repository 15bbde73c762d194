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

/** Counts attempts in the database, so that all processes count together. */
export interface RateLimiter {
  /**
   * Counts one attempt.
   * @param subject whose attempts are counted; only a keyed hash of it is stored
   * @throws CallError tooManyRequests
   */
  take(limit: Limit, subject: string): Promise<void>;
  /** Forgets the attempts of a subject, after it proved itself. */
  forget(limit: Limit, subject: string): Promise<void>;
}

export function createRateLimiter(db: Database, key: Uint8Array): RateLimiter {
  const keyOf = ({ name }: Limit, subject: string) =>
    `${name}:${hmac(key, subject).toString('base64url')}`;
  return {
    async take(limit, subject) {
      const over = sql<boolean>`rate_windows.started_at < now() - make_interval(secs => ${limit.seconds})`;
      const { count, wait } = await db
        .insertInto('rate_windows')
        .values({ key: keyOf(limit, subject), count: 1 })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            count: sql`case when ${over} then 1 else rate_windows.count + 1 end`,
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

    async forget(limit, subject) {
      await db.deleteFrom('rate_windows').where('key', '=', keyOf(limit, subject)).execute();
    },
  };
}
