import type { Transaction } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';

/** Records which e-mail addresses have had their trial and free minutes. Records are kept after an account is deleted. */
export interface Trials {
  /** Claims the trial of an e-mail address. Returns false if it was claimed before. */
  claim(trx: Transaction, email: string): Promise<boolean>;
}

/** @param key the key of the hashes under which addresses are stored, so that they cannot be guessed */
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
