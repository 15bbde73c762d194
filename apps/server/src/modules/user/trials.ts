import type { Transaction } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';

/** Records which email addresses have had their trial and free minutes. The records outlive the accounts. */
export interface Trials {
  /** Claims an email address's trial. Returns false if it was claimed before. */
  claim(trx: Transaction, email: string): Promise<boolean>;
}

/** @param key the key for the hashes under which addresses are stored, so that they can't be guessed */
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

/** Removes the subaddress after a plus sign, which belongs to the same mailbox (RFC 5233). */
function mailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}
