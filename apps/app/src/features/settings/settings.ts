import { merged } from '@linnet/base';
import type { ChangeStore } from '@linnet/sync';
import type { SettingsService } from '../../ports/settings.ts';
import { live } from '../../stores.ts';

export type SettingsOptions = {
  readonly changes: ChangeStore;
  readonly caughtUp: SettingsService['caughtUp'];
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Subscribes to changes to {@link uid}. */
  readonly onUser: (listener: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Creates the service for the signed-in account's settings. Changes apply locally and sync to the account's other
 * phones.
 */
export function createSettings({
  changes,
  caughtUp,
  uid,
  onUser,
  onError,
}: SettingsOptions): SettingsService {
  const read = async () => {
    const owner = uid();
    return owner === null ? [] : changes.settings(owner);
  };
  const watch = merged(changes, { subscribe: onUser });
  return {
    all: live(read, watch, onError, uid),
    caughtUp,
    async set(group, key, value) {
      const owner = uid();
      if (owner === null) return;
      const setting = { group_name: group, config_key: key, config_value: value };
      await changes.edit(owner, { type: 'setting.set', ...setting });
    },
  };
}
