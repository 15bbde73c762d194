import { randomBytes } from 'node:crypto';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { hmac, isSameSecret } from '../../secrets.ts';

/**
 * Issues and checks six-digit verification codes. They are sent by email, are valid for ten minutes, and can be used
 * once. The database stores only seeds, which are useless for deriving a code without the server's key.
 */
export interface VerificationCodes {
  /**
   * Issues a code for an email address. If the previous code is still valid, it is issued again for ten more minutes,
   * so that a stranger's request doesn't invalidate the code that the user is typing.
   */
  issue(email: string): Promise<string>;
  /** True if a code is valid. Callers must limit the number of attempts. */
  check(email: string, code: string): Promise<boolean>;
  /** Consumes the code in the transaction that uses it. Returns false if the code was already consumed. */
  consume(trx: Transaction, email: string): Promise<boolean>;
}

export function createVerificationCodes(
  db: Database,
  key: Uint8Array,
  now: () => Date,
): VerificationCodes {
  const { length } = limits.code;
  /**
   * Derives a code from six bytes of a hash. Six bytes have 2.8 * 10^14 values, so all codes are equally likely except
   * for a bias below one in 10^8.
   */
  const deriveCode = (email: string, seed: Buffer) => {
    const number = hmac(key, `${email}\n${seed.toString('hex')}`).readUIntBE(0, 6);
    return String(number % 10 ** length).padStart(length, '0');
  };
  return {
    async issue(email) {
      const sentValues = { used_at: null, sent_at: now() };
      const expires_at = new Date(now().getTime() + limits.code.ttlSeconds * 1000);
      const isStillValid = sql<boolean>`verification_codes.used_at is null and verification_codes.expires_at > ${now()}`;
      const { seed } = await db
        .insertInto('verification_codes')
        .values({ email, seed: randomBytes(32), expires_at, ...sentValues })
        .onConflict((conflict) =>
          conflict.column('email').doUpdateSet({
            ...sentValues,
            expires_at,
            seed: sql`case when ${isStillValid} then verification_codes.seed else excluded.seed end`,
          }),
        )
        .returning('seed')
        .executeTakeFirstOrThrow();
      return deriveCode(email, seed);
    },

    async check(email, code) {
      const row = await db
        .selectFrom('verification_codes')
        .select('seed')
        .where('email', '=', email)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row !== undefined && isSameSecret(deriveCode(email, row.seed), code);
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
