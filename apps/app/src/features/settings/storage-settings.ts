import {
  type CloudSetting,
  cloudSettingOf,
  deletesFrom,
  type SaveSetting,
  saveSettingOf,
} from '@linnet/sync';
import type { SettingsService } from '../../ports/settings.ts';

/** The storage and cloud settings. */
export type StorageSettings = {
  /** Until the settings are loaded, everything is kept. */
  readonly save: () => SaveSetting;
  /** When deletion by the storage setting starts in each location, as {@link deletesFrom}. */
  readonly deletesFrom: () => ReturnType<typeof deletesFrom>;
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
  const save = () => saveSettingOf(settings() ?? []);
  const cloud = () => {
    const known = settings();
    return known && cloudSettingOf(known);
  };
  const asText = () => JSON.stringify([save(), cloud()]);
  return {
    save,
    deletesFrom: () => deletesFrom(settings() ?? []),
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
