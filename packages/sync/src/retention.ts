import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { cloudSetting, storageSetting } from '@linnet/contract/statuses';
import { type Copies, type CopyPlace, findSurvivor, type Survivor } from './copies.ts';

/**
 * The storage setting, which determines the places that keep audio. The field names, including their spelling, are from
 * the specification. All default to 1.
 */
export type StorageSetting = {
  readonly devcieSave: 0 | 1;
  readonly appSave: 0 | 1;
  readonly cloudSave: 0 | 1;
};

export const defaultStorageSetting: StorageSetting = { devcieSave: 1, appSave: 1, cloudSave: 1 };

/** The cloud setting of the specification. */
export type CloudSetting = {
  /** True if audio on the phone is uploaded automatically. */
  readonly autoSync: boolean;
  /** True if uploads are limited to Wi-Fi and wired networks. */
  readonly wifiOnly: boolean;
};

export const defaultCloudSetting: CloudSetting = { autoSync: true, wifiOnly: false };

function findSetting<T extends Setting>(settings: readonly T[], group: string, key: string) {
  return settings.find((setting) => setting.group_name === group && setting.config_key === key);
}

/** Returns the value of an on/off setting, or null if it isn't set. */
function readSwitch(settings: readonly Setting[], group: string, key: string): 0 | 1 | null {
  const setting = findSetting(settings, group, key);
  if (!setting) return null;
  return setting.config_value === '1' ? 1 : 0;
}

/** A setting, and when it took its current value on this phone (ISO 8601, or null if unknown). */
export type DatedSetting = Setting & { readonly since: string | null };

/**
 * Returns, for each place, the earliest time at which copies may be deleted (milliseconds since 1970), or null if the
 * storage setting includes the place.
 */
export function earliestDeletions(
  settings: readonly DatedSetting[],
): Readonly<Record<CopyPlace, number | null>> {
  const { group, keys } = storageSetting;
  const earliestIn = (place: CopyPlace) => {
    const setting = findSetting(settings, group, keys[place]);
    if (setting?.config_value !== '0') return null;
    return setting.since === null ? 0 : Date.parse(setting.since) + limits.deletionGraceMs;
  };
  return {
    recorder: earliestIn('recorder'),
    phone: earliestIn('phone'),
    cloud: earliestIn('cloud'),
  };
}

/** The storage setting, and the earliest time at which it allows deletions in each place. */
export type StoragePolicy = {
  readonly setting: StorageSetting;
  readonly earliestDeletions: ReturnType<typeof earliestDeletions>;
};

/** Derives the storage policy from the settings. */
export function readStoragePolicy(settings: readonly DatedSetting[]): StoragePolicy {
  return { setting: readStorageSetting(settings), earliestDeletions: earliestDeletions(settings) };
}

/** True if the storage setting allows copies in a place to be deleted. @param now milliseconds since 1970 */
export function isDeletionDue(policy: StoragePolicy, place: CopyPlace, now: number): boolean {
  const earliest = policy.earliestDeletions[place];
  return earliest !== null && now >= earliest;
}

/** Reads the storage setting, with defaults for missing values. */
export function readStorageSetting(settings: readonly Setting[]): StorageSetting {
  const { group, keys } = storageSetting;
  const read = (key: string) => readSwitch(settings, group, key) ?? 1;
  return {
    devcieSave: read(keys.recorder),
    appSave: read(keys.phone),
    cloudSave: read(keys.cloud),
  };
}

/** Reads the cloud setting, with defaults for missing values. */
export function readCloudSetting(settings: readonly Setting[]): CloudSetting {
  const { group, keys } = cloudSetting;
  const autoSync = readSwitch(settings, group, keys.autoSync);
  const wifiOnly = readSwitch(settings, group, keys.wifiOnly);
  return {
    autoSync: autoSync === null ? defaultCloudSetting.autoSync : autoSync === 1,
    wifiOnly: wifiOnly === null ? defaultCloudSetting.wifiOnly : wifiOnly === 1,
  };
}

/**
 * Finds a verified copy that makes it safe to delete the recorder's copy. The storage setting must exclude the recorder
 * and include the survivor's place. The phone's copy counts only if the platform granted persistent storage.
 * @returns null if the recorder's copy must not be deleted
 */
export function findRecorderCopySurvivor(
  copies: Copies,
  setting: StorageSetting,
  isStoragePersistent: boolean,
): Survivor | null {
  if (setting.devcieSave === 1) return null;
  const places: CopyPlace[] = [];
  if (setting.appSave === 1 && isStoragePersistent) places.push('phone');
  if (setting.cloudSave === 1) places.push('cloud');
  return findSurvivor(copies.recorder, copies, places);
}

/**
 * Returns the cloud's copy if the phone's copy can be deleted safely. The storage setting must include the cloud.
 * Callers must notify the server before deleting, because the server may rely on the phone's copy.
 * @returns null if the phone's copy must not be deleted
 */
export function findPhoneCopySurvivor(
  copies: Pick<Copies, 'phone' | 'cloud'>,
  setting: Pick<StorageSetting, 'cloudSave'>,
): Survivor | null {
  if (setting.cloudSave === 0) return null;
  const { phone, cloud } = copies;
  // A copy converted by the phone is safe to delete only while the cloud has the file it was converted from.
  if (phone.status === 'stored') {
    const cloudDigest =
      cloud.status === 'stored' || cloud.status === 'verified' ? cloud.sha256 : null;
    const { sha256 } = phone;
    return sha256 !== null && sha256 === cloudDigest ? { place: 'cloud', sha256 } : null;
  }
  return findSurvivor(phone, copies, ['cloud']);
}
