import type { DatedSetting } from '@linnet/sync';
import type { Live, Store } from './store.ts';

export type SettingsService = {
  /** The user's settings, synced across phones. */
  readonly all: Live<readonly DatedSetting[]>;
  /** Whether the settings of other phones have arrived: all server changes have been read since sign-in. */
  readonly caughtUp: Store<boolean>;
  /** Rejects if this phone cannot save it. */
  set(group: string, key: string, value: string): Promise<void>;
};
