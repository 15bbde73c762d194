import type { Transaction } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';

/** Records which e-mail addresses have used their trial and free minutes, even after their accounts are deleted. */
export interface Trials {
  /** Claims the trial of an address; false if it was already claimed. */
  take(trx: Transaction, email: string): Promise<boolean>;
}

/** @param key keys the hashes, so that they do not reveal the addresses */
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

/** Removes the subaddress after a plus sign, which leads to the same mailbox (RFC 5233). */
function mailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}
