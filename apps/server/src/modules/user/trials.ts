import type { Transaction } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';

/** Remembers which e-mail addresses had their trial and free minutes, beyond the life of their accounts. */
export interface Trials {
  /** Whether an address gets its trial now; from then on it has had it. */
  take(trx: Transaction, email: string): Promise<boolean>;
}

/** @param key without it, the hashes say nothing of the addresses */
export function createTrials(key: Uint8Array, now: () => Date): Trials {
  return {
    async take(trx, email) {
      const first = await trx
        .insertInto('trials')
        .values({ address: hmac(key, mailbox(email)), given_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('address')
        .executeTakeFirst();
      return first !== undefined;
    },
  };
}

/** An address without the part after a plus sign, which names no other mailbox (RFC 5233). */
function mailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}
