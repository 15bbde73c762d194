import { describe, expect, it } from 'vitest';
import type { CopyState } from './record.ts';
import {
  cloudSettingOf,
  defaultCloudSetting,
  defaultSaveSetting,
  mayDeleteOnPhone,
  saveSettingOf,
} from './retention.ts';

const setting = (group_name: string, config_key: string, config_value: string) => ({
  ...{ group_name, config_key, config_value },
});

describe('what settings say', () => {
  it('is the default until somebody changed it', () => {
    expect(saveSettingOf([])).toEqual(defaultSaveSetting);
    expect(cloudSettingOf([])).toEqual(defaultCloudSetting);
  });

  it('is read by its names in the contract, and by no others', () => {
    const kept = [
      setting('radio_save_style', 'local', '0'),
      setting('radio_save_style', 'cloud', '1'),
      setting('cloud_setting', 'wifi_only', '1'),
      setting('cloud_setting', 'app', '0'),
    ];
    expect(saveSettingOf(kept)).toEqual({ devcieSave: 0, appSave: 1, cloudSave: 1 });
    expect(cloudSettingOf(kept)).toEqual({ autoSync: true, wifiOnly: true });
  });
});

describe('the phone’s copy', () => {
  const verified: CopyState = { status: 'verified', bytes: 1, sha256: '' };
  const absent: CopyState = { status: 'absent' };
  it.each([
    ['goes when the cloud has a checked one', verified, verified, 1, true],
    ['stays when the cloud has none', verified, absent, 1, false],
    ['stays when the cloud’s was never checked', verified, { status: 'whole', bytes: 1 }, 1, false],
    ['stays when the cloud is not to keep any', verified, verified, 0, false],
    ['is none while it comes', { status: 'partial', bytes: 1 }, verified, 1, false],
  ] as const)('%s', (_, phone, cloud, cloudSave, expected) => {
    expect(mayDeleteOnPhone({ phone, cloud }, { ...defaultSaveSetting, cloudSave })).toBe(expected);
  });
});
