import type { DatedSetting } from '@linnet/sync';
import type { Live, Store } from './store.ts';

export type SettingsService = {
  /** The owner's settings, whichever phone they were made on. */
  readonly all: Live<readonly DatedSetting[]>;
  /** Whether what the owner's other phones set is here: the server was asked since the app was opened. */
  readonly heard: Store<boolean>;
  /** Rejects where this phone cannot keep it. */
  set(group: string, key: string, value: string): Promise<void>;
};
