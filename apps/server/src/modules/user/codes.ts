import { randomBytes } from 'node:crypto';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { hmac, sameSecret } from '../../secrets.ts';

/** Six-digit codes sent by mail: kept as seeds that say nothing without a key, for ten minutes, used once. */
export interface VerificationCodes {
  /**
   * Makes the code of an e-mail address. While one is valid it is the same one, valid for ten more minutes: a
   * stranger who asks for codes must not void the one that the owner is typing.
   */
  issue(email: string): Promise<string>;
  /** Whether the code is the valid one. Tries are the caller's to bound. */
  check(email: string, code: string): Promise<boolean>;
  /** Uses the code up within the transaction that acts on it; false when another one did already. */
  consume(trx: Transaction, email: string): Promise<boolean>;
}

export function createVerificationCodes(
  db: Database,
  key: Uint8Array,
  now: () => Date,
): VerificationCodes {
  const { length } = limits.code;
  /** Six bytes are 2.8 * 10^14 values: no code is more likely than another by more than one in 10^8. */
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
