import { type CloudSetting, cloudSettingOf, type SaveSetting, saveSettingOf } from '@linnet/sync';
import type { SettingsService } from '../../services.ts';

/** What the owner wants kept where, and what may go to the cloud, for those who act on it. */
export type Keeping = {
  /** Everything stays where it is until the settings were read. */
  readonly save: () => SaveSetting;
  /** Null until the settings were read. */
  readonly cloud: () => CloudSetting | null;
  subscribe(listener: () => void): () => void;
};

/** Follows the settings as long as it is subscribed to. */
export function createKeeping(all: SettingsService['all']): Keeping {
  const settings = () => {
    const now = all.get();
    return now.status === 'ready' ? now.value : null;
  };
  return {
    save: () => saveSettingOf(settings() ?? []),
    cloud: () => {
      const known = settings();
      return known && cloudSettingOf(known);
    },
    subscribe: (listener) => all.subscribe(listener),
  };
}
