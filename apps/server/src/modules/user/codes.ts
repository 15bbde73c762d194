import { randomInt, timingSafeEqual } from 'node:crypto';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';

/** Six-digit codes sent by mail: kept as keyed hashes, for ten minutes and five tries, used once. */
export interface VerificationCodes {
  /** Makes the one valid code of an e-mail address; an earlier one is void. */
  issue(email: string): Promise<string>;
  /**
   * Counts a try, and says whether the code is the valid one. Commits on its own: a try counts even if
   * what follows fails.
   */
  check(email: string, code: string): Promise<boolean>;
  /** Uses the code up within the transaction that acts on it; false when another one did already. */
  consume(trx: Transaction, email: string): Promise<boolean>;
}

export function createVerificationCodes(
  db: Database,
  key: Uint8Array,
  now: () => Date,
): VerificationCodes {
  const hashOf = (email: string, code: string) => hmac(key, `${email}\n${code}`);
  return {
    async issue(email) {
      const code = String(randomInt(10 ** limits.code.length)).padStart(limits.code.length, '0');
      const fresh = {
        code_hash: hashOf(email, code),
        tries: 0,
        used_at: null,
        sent_at: now(),
        expires_at: new Date(now().getTime() + limits.code.ttlSeconds * 1000),
      };
      await db
        .insertInto('verification_codes')
        .values({ email, ...fresh })
        .onConflict((conflict) => conflict.column('email').doUpdateSet(fresh))
        .execute();
      return code;
    },

    async check(email, code) {
      const row = await db
        .updateTable('verification_codes')
        .set({ tries: sql<number>`tries + 1` })
        .where('email', '=', email)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .where('tries', '<', limits.code.tries)
        .returning('code_hash')
        .executeTakeFirst();
      return row !== undefined && timingSafeEqual(row.code_hash, hashOf(email, code));
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
