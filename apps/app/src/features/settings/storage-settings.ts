import {
  type CloudSetting,
  earliestDeletions,
  readCloudSetting,
  readStorageSetting,
  readTranscriptionSetting,
  type StorageSetting,
  type TranscriptionSetting,
} from '@linnet/sync';
import type { SettingsService } from '../../ports/settings.ts';

/** Local storage key of the storage setting, as specified. The app only writes it. */
const KEY = 'SAVE_SETTING';

/** Provides the settings for storage, cloud and transcription. */
export type StorageSettings = {
  /** Returns the storage setting. Until the settings are loaded, it retains all copies. */
  readonly save: () => StorageSetting;
  /** Returns when the storage setting starts allowing deletion in each location. */
  readonly earliestDeletions: () => ReturnType<typeof earliestDeletions>;
  /** Returns the cloud settings, or null until they are loaded. */
  readonly cloud: () => CloudSetting | null;
  /** Returns the transcription setting, or null until it is loaded. */
  readonly transcription: () => TranscriptionSetting | null;
  /** Subscribes to changes to these settings only. */
  subscribe(listener: () => void): () => void;
};

/** Creates the reader, which also mirrors every change of the storage setting to local storage. */
export function createStorageSettings(all: SettingsService['all']): StorageSettings {
  const settings = () => {
    const state = all.get();
    return state.status === 'ready' ? state.value : null;
  };
  const save = () => readStorageSetting(settings() ?? []);
  const cloud = () => {
    const loaded = settings();
    return loaded && readCloudSetting(loaded);
  };
  const transcription = () => {
    const loaded = settings();
    return loaded && readTranscriptionSetting(loaded);
  };
  const store = () => {
    if (!settings()) return;
    const text = JSON.stringify(save());
    if (localStorage.getItem(KEY) !== text) localStorage.setItem(KEY, text);
  };
  store();
  all.subscribe(store);
  const serialize = () => JSON.stringify([save(), cloud(), transcription()]);
  return {
    save,
    earliestDeletions: () => earliestDeletions(settings() ?? []),
    cloud,
    transcription,
    subscribe(listener) {
      let last = serialize();
      return all.subscribe(() => {
        const current = serialize();
        if (current === last) return;
        last = current;
        listener();
      });
    },
  };
}
