import { describe, expect, it } from 'vitest';
import { asSha256, type CopyState, compareCopies, sha256From } from './copies.ts';
import {
  defaultCloudSetting,
  defaultSaveSetting,
  earliestDeletions,
  findPhoneCopySurvivor,
  findRecorderCopySurvivor,
  readCloudSetting,
  readSaveSetting,
} from './retention.ts';

const setting = (group_name: string, config_key: string, config_value: string) => ({
  ...{ group_name, config_key, config_value },
});

describe('the settings', () => {
  it('have defaults', () => {
    expect(readSaveSetting([])).toEqual(defaultSaveSetting);
    expect(readCloudSetting([])).toEqual(defaultCloudSetting);
  });

  it('are read by their names in the contract', () => {
    const kept = [
      setting('radio_save_style', 'local', '0'),
      setting('radio_save_style', 'cloud', '1'),
      setting('cloud_setting', 'wifi_only', '1'),
      setting('cloud_setting', 'app', '0'),
    ];
    expect(readSaveSetting(kept)).toEqual({ devcieSave: 0, appSave: 1, cloudSave: 1 });
    expect(readCloudSetting(kept)).toEqual({ autoSync: true, wifiOnly: true });
  });
});

describe('the start of deletions', () => {
  const off = (key: string, since: string | null) => ({
    ...setting('radio_save_style', key, '0'),
    since,
  });
  it('is an hour after a place was turned off, and never while it is on', () => {
    const kept = [
      off('local', '2026-03-01T08:00:00.000Z'),
      off('app', null),
      { ...setting('radio_save_style', 'cloud', '1'), since: '2026-03-01T08:00:00.000Z' },
    ];
    const hourLater = Date.parse('2026-03-01T09:00:00.000Z');
    expect(earliestDeletions(kept)).toEqual({ recorder: hourLater, phone: 0, cloud: null });
    expect(earliestDeletions([])).toEqual({ recorder: null, phone: null, cloud: null });
  });
});

const [one, other] = [sha256From('ab'.repeat(32)), sha256From('cd'.repeat(32))];
const verified = (sha256 = one): CopyState => ({ status: 'verified', bytes: 1, sha256 });
const absent: CopyState = { status: 'absent' };
const stored: CopyState = { status: 'stored', bytes: 1, sha256: one };

describe('the phone’s copy', () => {
  it.each([
    ['is deleted when the cloud holds the same audio', verified(), verified(), 1, true],
    ['stays when the cloud has none', verified(), absent, 1, false],
    ['stays when the cloud’s copy is unverified', verified(), stored, 1, false],
    ['stays when the cloud holds other audio', verified(), verified(other), 1, false],
    ['stays when the cloud is not selected', verified(), verified(), 0, false],
    ['is deleted when it was converted from the cloud’s file', stored, stored, 1, true],
    [
      'stays when the cloud’s file has been replaced',
      stored,
      { ...stored, sha256: other },
      1,
      false,
    ],
    ['stays while it is incomplete', { status: 'partial', bytes: 1 }, verified(), 1, false],
  ] as const)('%s', (_, phone, cloud, cloudSave, expected) => {
    const survivor = findPhoneCopySurvivor({ phone, cloud }, { cloudSave });
    expect(survivor).toEqual(expected ? { place: 'cloud', sha256: one } : null);
  });
});

describe('the recorder’s copy', () => {
  const off = { ...defaultSaveSetting, devcieSave: 0 } as const;
  const here = { recorder: verified(), phone: verified(), cloud: absent };
  it.each([
    ['is deleted once the phone’s is verified', here, off, true, 'phone'],
    [
      'is deleted when the cloud’s is verified',
      { ...here, phone: absent, cloud: verified() },
      off,
      true,
      'cloud',
    ],
    ['stays while the recorder is selected', here, defaultSaveSetting, true, null],
    ['stays when the phone’s storage is not persistent', here, off, false, null],
    ['stays when the phone is not selected', here, { ...off, appSave: 0 }, true, null],
    [
      'stays when its digest is unknown',
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
    expect(findRecorderCopySurvivor(copies, save, persists)?.place ?? null).toBe(place);
  });
});

describe('the cloud’s copy', () => {
  const report = (sha256: string | null) =>
    ({ status: 'stored', bytes: 1, sha256: asSha256(sha256) }) as const;
  it.each([
    [
      'is verified when its digest equals the recorder’s',
      verified(),
      absent,
      report(one),
      'verified',
    ],
    ['is verified when its digest equals the phone’s', absent, verified(), report(one), 'verified'],
    ['is compared with the recorder’s first', verified(other), verified(), report(one), 'stored'],
    ['is only stored without a digest', verified(), verified(), report(''), 'stored'],
    ['is only stored while there is no source', absent, absent, report(one), 'stored'],
  ] as const)('%s', (_, recorder, phone, cloud, status) => {
    expect(compareCopies({ recorder, phone, cloud }).cloud.status).toBe(status);
  });

  it.each([null, undefined, '', 'ab', 'x'.repeat(64), ` ${one}`])('%j is not a digest', (text) => {
    expect(asSha256(text)).toBeNull();
  });
});
