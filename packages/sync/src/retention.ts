import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { cloudSetting, storageSetting } from '@linnet/contract/statuses';
import { type Copies, type CopyPlace, type Survivor, survivorAmong } from './copies.ts';

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

/** A setting, and when it got its value on this phone, ISO-8601; null where that is not known. */
export type DatedSetting = Setting & { readonly since: string | null };

/**
 * When deleting because of the storage setting begins in each place, milliseconds since 1970; null for a place
 * that is switched on.
 */
export function deletesFrom(
  settings: readonly DatedSetting[],
): Readonly<Record<CopyPlace, number | null>> {
  const { group, keys } = storageSetting;
  const of = (place: CopyPlace) => {
    const found = settings.find(
      (each) => each.group_name === group && each.config_key === keys[place],
    );
    if (found?.config_value !== '0') return null;
    return found.since === null ? 0 : Date.parse(found.since) + limits.deletionGraceMs;
  };
  return { recorder: of('recorder'), phone: of('phone'), cloud: of('cloud') };
}

/** The storage setting, and when deleting because of it begins in each place. */
export type StoragePolicy = {
  readonly setting: SaveSetting;
  readonly deletesFrom: ReturnType<typeof deletesFrom>;
};

/** The storage policy that settings amount to. */
export function storagePolicyOf(settings: readonly DatedSetting[]): StoragePolicy {
  return { setting: saveSettingOf(settings), deletesFrom: deletesFrom(settings) };
}

/** Whether copies in a place may be deleted because of the storage setting at a time, milliseconds since 1970. */
export function isDeletionDue(policy: StoragePolicy, place: CopyPlace, now: number): boolean {
  const from = policy.deletesFrom[place];
  return from !== null && now >= from;
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
 * Finds the verified copy because of which the recorder's may be deleted. The storage setting must exclude the
 * recorder, and the survivor must lie in a selected place. The phone alone does not count while the browser
 * has not promised to keep its storage.
 * @returns null when the recorder's copy has to stay
 */
export function survivorOfRecorderCopy(
  copies: Copies,
  setting: SaveSetting,
  storagePersists: boolean,
): Survivor | null {
  if (setting.devcieSave === 1) return null;
  const places: CopyPlace[] = [];
  if (setting.appSave === 1 && storagePersists) places.push('phone');
  if (setting.cloudSave === 1) places.push('cloud');
  return survivorAmong(copies.recorder, copies, places);
}

/**
 * Finds the verified copy because of which the phone's may be deleted: the cloud's, where the cloud is
 * selected. The server must be told first that phones do not keep theirs, or it counts on this one.
 * @returns null when the phone's copy has to stay
 */
export function survivorOfPhoneCopy(
  copies: Pick<Copies, 'phone' | 'cloud'>,
  setting: Pick<SaveSetting, 'cloudSave'>,
): Survivor | null {
  if (setting.cloudSave === 0) return null;
  const { phone, cloud } = copies;
  // What was made of the cloud's own file on this phone is a copy of that file alone.
  if (phone.status === 'stored') {
    const held = cloud.status === 'stored' || cloud.status === 'verified' ? cloud.sha256 : null;
    const { sha256 } = phone;
    return sha256 !== null && sha256 === held ? { place: 'cloud', sha256 } : null;
  }
  return survivorAmong(phone, copies, ['cloud']);
}
