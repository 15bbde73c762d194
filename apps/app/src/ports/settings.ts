import type { DatedSetting } from '@linnet/sync';
import type { Live, Store } from './store.ts';

export type SettingsService = {
  /** The account's settings, which are synced across phones. */
  readonly all: Live<readonly DatedSetting[]>;
  /**
   * Whether all of the server's changes have been read since the sign-in, including settings changed on other phones.
   */
  readonly caughtUp: Store<boolean>;
  /** Rejects if this phone can't save the setting. */
  set(group: string, key: string, value: string): Promise<void>;
};
