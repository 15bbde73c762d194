import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { bestLanguage } from '@linnet/contract/interface-languages';
import { languageSetting } from '@linnet/contract/statuses';
import type { Queries, Transaction } from '../../db/database.ts';
import type { Operations } from '../sync/operations.ts';

/**
 * The interface language of each account, used for its mails and checkouts. It is stored as a setting, so that phones
 * can also change it offline.
 */
export interface AccountLanguages {
  /** Returns an account's language; undefined if none is stored. */
  of(queries: Queries, accountId: string): Promise<InterfaceLanguage | undefined>;
  /** Stores an account's language within a transaction. Does nothing if it is already stored. */
  remember(trx: Transaction, accountId: string, language: InterfaceLanguage): Promise<void>;
}

/** Reads the interface language of an account; undefined if none is stored. */
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
