import type { Copies } from './record.ts';

/** Where the owner wants audio kept; the specification's names, 1 unless changed. */
export type SaveSetting = {
  readonly devcieSave: 0 | 1;
  readonly appSave: 0 | 1;
  readonly cloudSave: 0 | 1;
};

export const defaultSaveSetting: SaveSetting = { devcieSave: 1, appSave: 1, cloudSave: 1 };

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
