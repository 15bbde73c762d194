import type { Setting } from '@linnet/contract';
import { cloudSetting, storageSetting } from '@linnet/contract/statuses';
import type { Copies } from './record.ts';

/** Where the owner wants audio kept; the specification's names, 1 unless changed. */
export type SaveSetting = {
  readonly devcieSave: 0 | 1;
  readonly appSave: 0 | 1;
  readonly cloudSave: 0 | 1;
};

export const defaultSaveSetting: SaveSetting = { devcieSave: 1, appSave: 1, cloudSave: 1 };

/** The specification's cloud setting. */
export type CloudSetting = {
  /** Whether what came to the phone goes to the cloud by itself. */
  readonly autoSync: boolean;
  /** Whether only WiFi, or a cable, may carry it there. */
  readonly wifiOnly: boolean;
};

export const defaultCloudSetting: CloudSetting = { autoSync: true, wifiOnly: false };

function switchOf(settings: readonly Setting[], group: string, key: string): 0 | 1 | null {
  const found = settings.find((each) => each.group_name === group && each.config_key === key);
  return found ? (found.config_value === '1' ? 1 : 0) : null;
}

/** Where the owner wants audio kept, as their settings say. */
export function saveSettingOf(settings: readonly Setting[]): SaveSetting {
  const { group, keys } = storageSetting;
  const of = (key: string) => switchOf(settings, group, key) ?? 1;
  return { devcieSave: of(keys.recorder), appSave: of(keys.phone), cloudSave: of(keys.cloud) };
}

/** What the owner lets go to the cloud, as their settings say. */
export function cloudSettingOf(settings: readonly Setting[]): CloudSetting {
  const { group, keys } = cloudSetting;
  const auto = switchOf(settings, group, keys.autoSync);
  const wifi = switchOf(settings, group, keys.wifiOnly);
  return {
    autoSync: auto === null ? defaultCloudSetting.autoSync : auto === 1,
    wifiOnly: wifi === null ? defaultCloudSetting.wifiOnly : wifi === 1,
  };
}

/**
 * Whether the recorder's copy may go: only when the owner does not want it there and another selected
 * place holds a verified one. A browser that has not promised to keep its storage does not count alone.
 */
export function mayDeleteOnRecorder(
  copies: Pick<Copies, 'phone' | 'cloud'>,
  setting: SaveSetting,
  storagePersists: boolean,
): boolean {
  if (setting.devcieSave === 1) return false;
  const onPhone = setting.appSave === 1 && copies.phone.status === 'verified';
  const inCloud = setting.cloudSave === 1 && copies.cloud.status === 'verified';
  return inCloud || (onPhone && storagePersists);
}

/**
 * Whether the phone's copy may go: only when the cloud is a place that its owner selected, and holds a
 * verified one. Whoever deletes it has the server told first that phones do not keep theirs: else it
 * counts on this one.
 */
export function mayDeleteOnPhone(copies: Pick<Copies, 'phone' | 'cloud'>, setting: SaveSetting) {
  return (
    copies.phone.status === 'verified' &&
    setting.cloudSave === 1 &&
    copies.cloud.status === 'verified'
  );
}
