import { type CloudSetting, cloudSettingOf, type SaveSetting, saveSettingOf } from '@linnet/sync';
import { useServices, useStore } from './services-context.ts';

function useSettings() {
  const all = useStore(useServices().settings.all);
  return all.status === 'ready' ? all.value : null;
}

/** Where the owner wants audio kept; null until it was read. */
export function useSaveSetting(): SaveSetting | null {
  const settings = useSettings();
  return settings && saveSettingOf(settings);
}

/** What the owner lets go to the cloud; null until it was read. */
export function useCloudSetting(): CloudSetting | null {
  const settings = useSettings();
  return settings && cloudSettingOf(settings);
}
