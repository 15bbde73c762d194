import { describe, expect, it } from 'vitest';
import { type CopyState, compareCopies, parseSha256, sha256From } from './copies.ts';
import {
  defaultCloudSetting,
  defaultStorageSetting,
  earliestDeletions,
  findPhoneCopySurvivor,
  findRecorderCopySurvivor,
  readCloudSetting,
  readStorageSetting,
} from './retention.ts';

const setting = (group_name: string, config_key: string, config_value: string) => ({
  group_name,
  config_key,
  config_value,
});

describe('reading the storage and cloud settings', () => {
  it('returns defaults for missing values', () => {
    expect(readStorageSetting([])).toEqual(defaultStorageSetting);
    expect(readCloudSetting([])).toEqual(defaultCloudSetting);
  });

  it('reads stored values', () => {
    const settings = [
      setting('radio_save_style', 'local', '0'),
      setting('radio_save_style', 'cloud', '1'),
      setting('cloud_setting', 'wifi_only', '1'),
      setting('cloud_setting', 'app', '0'),
    ];
    expect(readStorageSetting(settings)).toEqual({ devcieSave: 0, appSave: 1, cloudSave: 1 });
    expect(readCloudSetting(settings)).toEqual({ autoSync: true, wifiOnly: true });
  });
});

describe('earliestDeletions', () => {
  const turnedOff = (key: string, since: string | null) => ({
    ...setting('radio_save_style', key, '0'),
    since,
  });
  it('allows deletions an hour after a location was turned off, but not while it is on', () => {
    const settings = [
      turnedOff('local', '2026-03-01T08:00:00.000Z'),
      turnedOff('app', null),
      { ...setting('radio_save_style', 'cloud', '1'), since: '2026-03-01T08:00:00.000Z' },
    ];
    const hourLater = Date.parse('2026-03-01T09:00:00.000Z');
    expect(earliestDeletions(settings)).toEqual({ recorder: hourLater, phone: 0, cloud: null });
    expect(earliestDeletions([])).toEqual({ recorder: null, phone: null, cloud: null });
  });
});

const digest = sha256From('ab'.repeat(32));
const otherDigest = sha256From('cd'.repeat(32));
const createVerifiedCopy = (sha256 = digest): CopyState => ({
  status: 'verified',
  bytes: 1,
  sha256,
});
const absent: CopyState = { status: 'absent' };
const stored: CopyState = { status: 'stored', bytes: 1, sha256: digest };

describe('findPhoneCopySurvivor', () => {
  it.each([
    [
      'allows the deletion if the cloud has the same audio',
      createVerifiedCopy(),
      createVerifiedCopy(),
      1,
      true,
    ],
    ['refuses the deletion if the cloud has no copy', createVerifiedCopy(), absent, 1, false],
    [
      'refuses the deletion if the cloud’s copy is unverified',
      createVerifiedCopy(),
      stored,
      1,
      false,
    ],
    [
      'refuses the deletion if the cloud has different audio',
      createVerifiedCopy(),
      createVerifiedCopy(otherDigest),
      1,
      false,
    ],
    [
      'refuses the deletion if the storage setting excludes the cloud',
      createVerifiedCopy(),
      createVerifiedCopy(),
      0,
      false,
    ],
    ['allows the deletion of a copy converted from the cloud’s file', stored, stored, 1, true],
    [
      'refuses the deletion of a converted copy if the cloud’s file was replaced',
      stored,
      { ...stored, sha256: otherDigest },
      1,
      false,
    ],
    [
      'refuses the deletion of an incomplete copy',
      { status: 'partial', bytes: 1 },
      createVerifiedCopy(),
      1,
      false,
    ],
  ] as const)('%s', (_title, phone, cloud, cloudSave, isAllowed) => {
    const survivor = findPhoneCopySurvivor({ phone, cloud }, { cloudSave });
    expect(survivor).toEqual(isAllowed ? { place: 'cloud', sha256: digest } : null);
  });
});

describe('findRecorderCopySurvivor', () => {
  const excluded = { ...defaultStorageSetting, devcieSave: 0 } as const;
  const onPhone = { recorder: createVerifiedCopy(), phone: createVerifiedCopy(), cloud: absent };
  it.each([
    ['finds the phone’s verified copy', onPhone, excluded, true, 'phone'],
    [
      'finds the cloud’s verified copy',
      { ...onPhone, phone: absent, cloud: createVerifiedCopy() },
      excluded,
      true,
      'cloud',
    ],
    [
      'finds none if the storage setting includes the recorder',
      onPhone,
      defaultStorageSetting,
      true,
      null,
    ],
    ['finds none if the phone’s storage is not persistent', onPhone, excluded, false, null],
    [
      'finds none if the storage setting excludes the phone',
      onPhone,
      { ...excluded, appSave: 0 },
      true,
      null,
    ],
    [
      'finds none if the digest of the recorder’s copy is unknown',
      { ...onPhone, recorder: { status: 'whole', bytes: 1 } },
      excluded,
      true,
      null,
    ],
    [
      'finds none if the phone’s copy differs',
      { ...onPhone, phone: createVerifiedCopy(otherDigest) },
      excluded,
      true,
      null,
    ],
    [
      'finds none if the cloud’s copy is unverified',
      { ...onPhone, phone: absent, cloud: stored },
      excluded,
      true,
      null,
    ],
  ] as const)('%s', (_title, copies, setting, isStoragePersistent, place) => {
    const survivor = findRecorderCopySurvivor(copies, setting, isStoragePersistent);
    expect(survivor?.place ?? null).toBe(place);
  });
});

describe('compareCopies', () => {
  const report = (sha256: string | null) =>
    ({ status: 'stored', bytes: 1, sha256: parseSha256(sha256) }) as const;
  it.each([
    [
      'verifies a copy with the digest of the recorder’s copy',
      createVerifiedCopy(),
      absent,
      report(digest),
      'verified',
    ],
    [
      'verifies a copy with the digest of the phone’s copy',
      absent,
      createVerifiedCopy(),
      report(digest),
      'verified',
    ],
    [
      'compares with the recorder’s copy first',
      createVerifiedCopy(otherDigest),
      createVerifiedCopy(),
      report(digest),
      'stored',
    ],
    [
      'does not verify a copy without a digest',
      createVerifiedCopy(),
      createVerifiedCopy(),
      report(''),
      'stored',
    ],
    ['does not verify a copy without a source', absent, absent, report(digest), 'stored'],
  ] as const)('%s', (_title, recorder, phone, cloud, status) => {
    expect(compareCopies({ recorder, phone, cloud }).cloud.status).toBe(status);
  });
});

describe('parseSha256', () => {
  it.each([null, undefined, '', 'ab', 'x'.repeat(64), ` ${digest}`])('rejects %j', (text) => {
    expect(parseSha256(text)).toBeNull();
  });
});
