import {
  type CloudSetting,
  earliestDeletions,
  readCloudSetting,
  readSaveSetting,
  type SaveSetting,
} from '@linnet/sync';
import type { SettingsService } from '../../ports/settings.ts';

/** The storage and cloud settings. */
export type StorageSettings = {
  /** Before the settings are loaded, all copies are retained. */
  readonly save: () => SaveSetting;
  /** When deletion by the storage setting starts in each location, as {@link earliestDeletions}. */
  readonly earliestDeletions: () => ReturnType<typeof earliestDeletions>;
  /** Null until the settings are loaded. */
  readonly cloud: () => CloudSetting | null;
  /** Notifies when these settings change; other settings are ignored. */
  subscribe(listener: () => void): () => void;
};

/** Follows the settings while subscribed. */
export function createStorageSettings(all: SettingsService['all']): StorageSettings {
  const settings = () => {
    const now = all.get();
    return now.status === 'ready' ? now.value : null;
  };
  const save = () => readSaveSetting(settings() ?? []);
  const cloud = () => {
    const known = settings();
    return known && readCloudSetting(known);
  };
  const asText = () => JSON.stringify([save(), cloud()]);
  return {
    save,
    earliestDeletions: () => earliestDeletions(settings() ?? []),
    cloud,
    subscribe(listener) {
      let last = asText();
      return all.subscribe(() => {
        const now = asText();
        if (now === last) return;
        last = now;
        listener();
      });
    },
  };
}
