import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { cloudSetting, storageSetting } from '@linnet/contract/statuses';
import { type Copies, type CopyPlace, findSurvivor, type Survivor } from './copies.ts';

/** The storage setting: the places where audio is stored. Names are the specification's; all default to 1. */
export type SaveSetting = {
  readonly devcieSave: 0 | 1;
  readonly appSave: 0 | 1;
  readonly cloudSave: 0 | 1;
};

export const defaultSaveSetting: SaveSetting = { devcieSave: 1, appSave: 1, cloudSave: 1 };

/** The specification's cloud setting. */
export type CloudSetting = {
  /** Whether audio on the phone is uploaded automatically. */
  readonly autoSync: boolean;
  /** Whether uploads are limited to Wi-Fi and cable. */
  readonly wifiOnly: boolean;
};

export const defaultCloudSetting: CloudSetting = { autoSync: true, wifiOnly: false };

function switchOf(settings: readonly Setting[], group: string, key: string): 0 | 1 | null {
  const found = settings.find((each) => each.group_name === group && each.config_key === key);
  return found ? (found.config_value === '1' ? 1 : 0) : null;
}

/** A setting, and when it received its current value on this phone, ISO-8601; null if unknown. */
export type DatedSetting = Setting & { readonly since: string | null };

/**
 * Returns the earliest time at which the storage setting allows the deletion of copies in each place, in milliseconds
 * since 1970; null for places in which copies are stored.
 */
export function earliestDeletions(
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

/** The storage setting, and the earliest deletions that it allows. */
export type StoragePolicy = {
  readonly setting: SaveSetting;
  readonly earliestDeletions: ReturnType<typeof earliestDeletions>;
};

/** Derives the storage policy from the settings. */
export function readStoragePolicy(settings: readonly DatedSetting[]): StoragePolicy {
  return { setting: readSaveSetting(settings), earliestDeletions: earliestDeletions(settings) };
}

/** Whether the storage setting allows the deletion of copies in a place. @param now milliseconds since 1970 */
export function isDeletionDue(policy: StoragePolicy, place: CopyPlace, now: number): boolean {
  const from = policy.earliestDeletions[place];
  return from !== null && now >= from;
}

/** Reads the storage setting, with defaults for missing values. */
export function readSaveSetting(settings: readonly Setting[]): SaveSetting {
  const { group, keys } = storageSetting;
  const of = (key: string) => switchOf(settings, group, key) ?? 1;
  return { devcieSave: of(keys.recorder), appSave: of(keys.phone), cloudSave: of(keys.cloud) };
}

/** Reads the cloud setting, with defaults for missing values. */
export function readCloudSetting(settings: readonly Setting[]): CloudSetting {
  const { group, keys } = cloudSetting;
  const auto = switchOf(settings, group, keys.autoSync);
  const wifi = switchOf(settings, group, keys.wifiOnly);
  return {
    autoSync: auto === null ? defaultCloudSetting.autoSync : auto === 1,
    wifiOnly: wifi === null ? defaultCloudSetting.wifiOnly : wifi === 1,
  };
}

/**
 * Finds a verified copy elsewhere that makes it safe to delete the recorder's copy. The storage setting must exclude the
 * recorder and include the place of the survivor. The phone's copy counts only if the platform has granted persistent storage.
 * @returns null if the recorder's copy must not be deleted
 */
export function findRecorderCopySurvivor(
  copies: Copies,
  setting: SaveSetting,
  storagePersists: boolean,
): Survivor | null {
  if (setting.devcieSave === 1) return null;
  const places: CopyPlace[] = [];
  if (setting.appSave === 1 && storagePersists) places.push('phone');
  if (setting.cloudSave === 1) places.push('cloud');
  return findSurvivor(copies.recorder, copies, places);
}

/**
 * Finds the copy in the cloud that makes it safe to delete the phone's copy. The storage setting must include the cloud.
 * The server must be notified first, because it may rely on the phone's copy.
 * @returns null if the phone's copy must not be deleted
 */
export function findPhoneCopySurvivor(
  copies: Pick<Copies, 'phone' | 'cloud'>,
  setting: Pick<SaveSetting, 'cloudSave'>,
): Survivor | null {
  if (setting.cloudSave === 0) return null;
  const { phone, cloud } = copies;
  // The only survivor of a converted copy is the cloud's file from which it was converted.
  if (phone.status === 'stored') {
    const cloudDigest =
      cloud.status === 'stored' || cloud.status === 'verified' ? cloud.sha256 : null;
    const { sha256 } = phone;
    return sha256 !== null && sha256 === cloudDigest ? { place: 'cloud', sha256 } : null;
  }
  return findSurvivor(phone, copies, ['cloud']);
}
