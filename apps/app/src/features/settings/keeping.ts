import {
  type CloudSetting,
  cloudSettingOf,
  deletesFrom,
  type SaveSetting,
  saveSettingOf,
} from '@linnet/sync';
import type { SettingsService } from '../../ports/settings.ts';

/** What the owner wants kept where, and what may go to the cloud, for those who act on it. */
export type Keeping = {
  /** Everything stays where it is until the settings were read. */
  readonly save: () => SaveSetting;
  /** When deleting because of the storage setting begins in each place, as {@link deletesFrom}. */
  readonly deletesFrom: () => ReturnType<typeof deletesFrom>;
  /** Null until the settings were read. */
  readonly cloud: () => CloudSetting | null;
  /** Tells when what these give is another, which most changes of settings leave as it is. */
  subscribe(listener: () => void): () => void;
};

/** Follows the settings as long as it is subscribed to. */
export function createKeeping(all: SettingsService['all']): Keeping {
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
      let told = asText();
      return all.subscribe(() => {
        const now = asText();
        if (now === told) return;
        told = now;
        listener();
      });
    },
  };
}
