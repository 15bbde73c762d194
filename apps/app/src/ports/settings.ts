import type { DatedSetting } from '@linnet/sync';
import type { Live, Store } from './store.ts';

export type SettingsService = {
  /** The owner's settings, whichever phone they were made on. */
  readonly all: Live<readonly DatedSetting[]>;
  /** Whether the settings of the owner's other phones are here: all changes on the server were read since sign-in. */
  readonly caughtUp: Store<boolean>;
  /** Rejects where this phone cannot keep it. */
  set(group: string, key: string, value: string): Promise<void>;
};
