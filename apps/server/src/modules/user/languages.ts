import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { bestLanguage } from '@linnet/contract/interface-languages';
import { languageSetting } from '@linnet/contract/statuses';
import type { Queries, Transaction } from '../../db/database.ts';
import type { Operations } from '../sync/operations.ts';

/**
 * Reads and stores each account's interface language, which is also the language of its emails and checkouts. The
 * language is a setting, so phones can change it offline.
 */
export interface AccountLanguages {
  /** Returns an account's language, or undefined if none is stored. */
  of(queries: Queries, accountId: string): Promise<InterfaceLanguage | undefined>;
  /** Stores an account's language within a transaction. Does nothing if it is already stored. */
  remember(trx: Transaction, accountId: string, language: InterfaceLanguage): Promise<void>;
}

/** Reads an account's interface language. Returns undefined if none is stored. */
export async function readAccountLanguage(
  queries: Queries,
  accountId: string,
): Promise<InterfaceLanguage | undefined> {
  const setting = await queries
    .selectFrom('settings')
    .select('config_value')
    .where('account_id', '=', accountId)
    .where('group_name', '=', languageSetting.group)
    .where('config_key', '=', languageSetting.key)
    .executeTakeFirst();
  return setting && bestLanguage([setting.config_value]);
}

export function createAccountLanguages(operations: Operations): AccountLanguages {
  return {
    of: readAccountLanguage,

    async remember(trx, accountId, language) {
      if ((await readAccountLanguage(trx, accountId)) === language) return;
      const { group: group_name, key: config_key } = languageSetting;
      const setting = { group_name, config_key, config_value: language };
      await operations.perform(trx, accountId, [{ type: 'setting.set', ...setting }]);
    },
  };
}
