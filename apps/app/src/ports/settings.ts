import type { DatedSetting } from '@linnet/sync';
import type { Live, Store } from './store.ts';

export type SettingsService = {
  /** The settings of the account, which are synced across phones. */
  readonly all: Live<readonly DatedSetting[]>;
  /** Whether all changes on the server have been read since the sign-in, including settings made on other phones. */
  readonly caughtUp: Store<boolean>;
  /** Rejects if this phone cannot save the setting. */
  set(group: string, key: string, value: string): Promise<void>;
};
