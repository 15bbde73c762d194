import type { Transaction } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';

/**
 * Records which email addresses have already received the trial and free minutes. These records outlive the accounts.
 */
export interface Trials {
  /** Claims the trial for an email address. Returns false if it was already claimed. */
  claim(trx: Transaction, email: string): Promise<boolean>;
}

/** @param key key for hashing addresses, so that addresses can't be guessed from the hashes */
export function createTrials(key: Uint8Array, now: () => Date): Trials {
  return {
    async claim(trx, email) {
      const inserted = await trx
        .insertInto('trials')
        .values({ address: hmac(key, mailbox(email)), given_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('address')
        .executeTakeFirst();
      return inserted !== undefined;
    },
  };
}

/** Removes the subaddress after a plus sign, because mail to it arrives in the same mailbox (RFC 5233). */
function mailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}
