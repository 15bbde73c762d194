import { describe, expect, it } from 'vitest';
import { asSha256, type CopyState, compareCopies, sha256From } from './copies.ts';
import {
  cloudSettingOf,
  defaultCloudSetting,
  defaultSaveSetting,
  deletesFrom,
  saveSettingOf,
  survivorOfPhoneCopy,
  survivorOfRecorderCopy,
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

describe('when deleting begins', () => {
  const off = (key: string, since: string | null) => ({
    ...setting('radio_save_style', key, '0'),
    since,
  });
  it('is an hour after a place was switched off, and never while it is on', () => {
    const kept = [
      off('local', '2026-03-01T08:00:00.000Z'),
      off('app', null),
      { ...setting('radio_save_style', 'cloud', '1'), since: '2026-03-01T08:00:00.000Z' },
    ];
    const hourLater = Date.parse('2026-03-01T09:00:00.000Z');
    expect(deletesFrom(kept)).toEqual({ recorder: hourLater, phone: 0, cloud: null });
    expect(deletesFrom([])).toEqual({ recorder: null, phone: null, cloud: null });
  });
});

const [one, other] = [sha256From('ab'.repeat(32)), sha256From('cd'.repeat(32))];
const verified = (sha256 = one): CopyState => ({ status: 'verified', bytes: 1, sha256 });
const absent: CopyState = { status: 'absent' };
const stored: CopyState = { status: 'stored', bytes: 1, sha256: one };

describe('the phone’s copy', () => {
  it.each([
    ['goes when the cloud holds the same audio', verified(), verified(), 1, true],
    ['stays when the cloud has none', verified(), absent, 1, false],
    ['stays when the cloud’s was never compared', verified(), stored, 1, false],
    ['stays when the cloud holds other audio', verified(), verified(other), 1, false],
    ['stays when the cloud is not to keep any', verified(), verified(), 0, false],
    ['goes when it was made of the file that the cloud has', stored, stored, 1, true],
    [
      'stays when the cloud’s file became another one',
      stored,
      { ...stored, sha256: other },
      1,
      false,
    ],
    ['is none while it comes', { status: 'partial', bytes: 1 }, verified(), 1, false],
  ] as const)('%s', (_, phone, cloud, cloudSave, expected) => {
    const survivor = survivorOfPhoneCopy({ phone, cloud }, { cloudSave });
    expect(survivor).toEqual(expected ? { place: 'cloud', sha256: one } : null);
  });
});

describe('the recorder’s copy', () => {
  const off = { ...defaultSaveSetting, devcieSave: 0 } as const;
  const here = { recorder: verified(), phone: verified(), cloud: absent };
  it.each([
    ['goes once the phone’s is verified', here, off, true, 'phone'],
    [
      'goes because of the cloud’s',
      { ...here, phone: absent, cloud: verified() },
      off,
      true,
      'cloud',
    ],
    ['stays while the recorder is selected', here, defaultSaveSetting, true, null],
    ['stays where the phone promises nothing', here, off, false, null],
    ['stays where the phone is not selected', here, { ...off, appSave: 0 }, true, null],
    [
      'stays when its digest is not known',
      { ...here, recorder: { status: 'whole', bytes: 1 } },
      off,
      true,
      null,
    ],
    ['stays when the phone’s differs', { ...here, phone: verified(other) }, off, true, null],
    [
      'stays when the cloud’s is only stored',
      { ...here, phone: absent, cloud: stored },
      off,
      true,
      null,
    ],
  ] as const)('%s', (_, copies, save, persists, place) => {
    expect(survivorOfRecorderCopy(copies, save, persists)?.place ?? null).toBe(place);
  });
});

describe('what the cloud reports', () => {
  const report = (sha256: string | null) =>
    ({ status: 'stored', bytes: 1, sha256: asSha256(sha256) }) as const;
  it.each([
    ['is verified when its digest is the recorder’s', verified(), absent, report(one), 'verified'],
    ['is verified when its digest is the phone’s', absent, verified(), report(one), 'verified'],
    ['is judged by the recorder first', verified(other), verified(), report(one), 'stored'],
    ['is stored without a digest', verified(), verified(), report(''), 'stored'],
    ['is stored while there is no source', absent, absent, report(one), 'stored'],
  ] as const)('%s', (_, recorder, phone, cloud, status) => {
    expect(compareCopies({ recorder, phone, cloud }).cloud.status).toBe(status);
  });

  it.each([null, undefined, '', 'ab', 'x'.repeat(64), ` ${one}`])('%j is no digest', (text) => {
    expect(asSha256(text)).toBeNull();
  });
});
