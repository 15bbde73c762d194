import type { CallData, Setting } from '@linnet/contract';
import type { Database } from '../../db/database.ts';
import type { Operations } from '../sync/operations.ts';
import { readSettings } from './settings.ts';

/** Reads and changes an account's settings. Implements the API calls. */
export interface SettingService {
  /** Returns all settings, including defaults. */
  all(accountId: string): Promise<CallData<'user/config'>>;
  /**
   * Changes a setting.
   * @throws CallError badRequest, noStorageLocation
   */
  set(accountId: string, setting: Setting): Promise<Setting>;
}

export function createSettingService(db: Database, operations: Operations): SettingService {
  return {
    all: (accountId) => readSettings(db, accountId),

    async set(accountId, setting) {
      await db
        .transaction()
        .execute((trx) =>
          operations.perform(trx, accountId, [{ type: 'setting.set', ...setting }]),
        );
      return setting;
    },
  };
}
