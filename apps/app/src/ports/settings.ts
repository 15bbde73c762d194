import type { DatedSetting } from '@linnet/sync';
import type { Live, Store } from './store.ts';

export type SettingsService = {
  /** The user's settings, synced across phones. */
  readonly all: Live<readonly DatedSetting[]>;
  /** Whether all server changes since the sign-in have been read, including settings of other phones. */
  readonly caughtUp: Store<boolean>;
  /** Rejects if this phone cannot save the setting. */
  set(group: string, key: string, value: string): Promise<void>;
};
