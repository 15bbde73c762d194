import { randomBytes } from 'node:crypto';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { hmac, sameSecret } from '../../secrets.ts';

/** Six-digit codes sent by mail: single-use, valid for ten minutes, and stored as seeds that are useless without the key. */
export interface VerificationCodes {
  /**
   * Issues a code for an e-mail address. A code that is still valid is reissued for ten more minutes: a stranger's
   * request must not invalidate the code that the user is typing.
   */
  issue(email: string): Promise<string>;
  /** Checks a code. Callers must limit the number of attempts. */
  check(email: string, code: string): Promise<boolean>;
  /** Consumes the code within the transaction that acts on it; false if it was already consumed. */
  consume(trx: Transaction, email: string): Promise<boolean>;
}

export function createVerificationCodes(
  db: Database,
  key: Uint8Array,
  now: () => Date,
): VerificationCodes {
  const { length } = limits.code;
  /** Six bytes are 2.8 * 10^14 values: the bias between codes is below one in 10^8. */
  const codeOf = (email: string, seed: Buffer) => {
    const number = hmac(key, `${email}\n${seed.toString('hex')}`).readUIntBE(0, 6);
    return String(number % 10 ** length).padStart(length, '0');
  };
  return {
    async issue(email) {
      const sent = { used_at: null, sent_at: now() };
      const expires_at = new Date(now().getTime() + limits.code.ttlSeconds * 1000);
      const valid = sql<boolean>`verification_codes.used_at is null and verification_codes.expires_at > ${now()}`;
      const { seed } = await db
        .insertInto('verification_codes')
        .values({ email, seed: randomBytes(32), expires_at, ...sent })
        .onConflict((conflict) =>
          conflict.column('email').doUpdateSet({
            ...sent,
            expires_at,
            seed: sql`case when ${valid} then verification_codes.seed else excluded.seed end`,
          }),
        )
        .returning('seed')
        .executeTakeFirstOrThrow();
      return codeOf(email, seed);
    },

    async check(email, code) {
      const row = await db
        .selectFrom('verification_codes')
        .select('seed')
        .where('email', '=', email)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row !== undefined && sameSecret(codeOf(email, row.seed), code);
    },

    async consume(trx, email) {
      const row = await trx
        .updateTable('verification_codes')
        .set({ used_at: now() })
        .where('email', '=', email)
        .where('used_at', 'is', null)
        .returning('email')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
