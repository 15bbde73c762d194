import { defaultCloudSetting, defaultStorageSetting } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import { type CloudPoliciesOptions, createCloudPolicies } from './cloud-policy.ts';

const languages = [{ language: 'en', engine: 'test', quality: 'good' }] as const;

function membership(isVip: boolean) {
  return { isVip, plan: null, expiresAt: null, remainingMinutes: 0, subscription: null };
}

/** Creates a member's policies on Wi-Fi with default settings. */
function policies(
  overrides: Partial<Omit<CloudPoliciesOptions, 'settings'>> & {
    settings?: Partial<CloudPoliciesOptions['settings']>;
    isVip?: boolean;
    autoSync?: boolean;
  },
) {
  const { isVip = true, autoSync = true, settings, ...options } = overrides;
  return createCloudPolicies({
    account: {
      membership: { get: () => membership(isVip), subscribe: () => () => {} },
      state: { get: () => ({ status: 'loading' }), subscribe: () => () => {} },
    },
    settings: {
      save: () => defaultStorageSetting,
      cloud: () => ({ ...defaultCloudSetting, autoSync }),
      transcription: () => ({ language: null, live: true }),
      ...settings,
    },
    serverInfo: () => ({ billing: 'stripe', languages }),
    network: { get: () => 'fixed' },
    isCaughtUp: () => true,
    language: () => 'en',
    ...options,
  });
}

describe('uploads', () => {
  it('are automatic for members and transcribed in the language of the interface', () => {
    const { upload, pauseReason } = policies({});
    expect(upload()).toEqual({
      upload: true,
      transcribe: 'en',
      languages: ['en'],
      maySend: true,
    });
    expect(pauseReason()).toBeNull();
  });

  it.each([
    ['the account is not a member', { isVip: false }, 'not_member'],
    ['automatic upload is turned off', { autoSync: false }, 'switched_off'],
  ] as const)('are paused if %s', (_, overrides, reason) => {
    const { upload, pauseReason } = policies(overrides);
    expect(upload()).toMatchObject({ upload: false, transcribe: null });
    expect(pauseReason()).toBe(reason);
  });

  it('are limited to transcription if cloud storage is turned off', () => {
    const save = () => ({ ...defaultStorageSetting, cloudSave: 0 as const });
    const settings = { save, cloud: () => defaultCloudSetting };
    const { upload, pauseReason } = policies({ settings });
    expect(upload()).toMatchObject({ upload: false, transcribe: 'en' });
    expect(pauseReason()).toBe('cloud_off');
  });

  it('are automatic for all accounts on servers without billing', () => {
    const serverInfo = () => ({ billing: 'off', languages }) as const;
    expect(policies({ isVip: false, serverInfo }).upload()).toMatchObject({ upload: true });
  });

  it('are not transcribed if the server does not support the language', () => {
    expect(policies({ language: () => 'th' }).upload()).toMatchObject({ transcribe: null });
  });

  it.each([
    ['mobile', false],
    ['fixed', true],
    ['unknown', true],
  ] as const)('that are limited to Wi-Fi are allowed on a %s network: %s', (kind, maySend) => {
    const cloud = () => ({ autoSync: true, wifiOnly: true });
    const settings = { save: () => defaultStorageSetting, cloud };
    const { upload, download } = policies({ settings, network: { get: () => kind } });
    expect(upload().maySend).toBe(maySend);
    expect(download().mayReceive).toBe(maySend);
  });

  it('wait until the settings are read', () => {
    const settings = { save: () => defaultStorageSetting, cloud: () => null };
    expect(policies({ settings }).upload()).toEqual({
      upload: false,
      transcribe: null,
      languages: [],
      maySend: false,
    });
  });
});

describe('downloads', () => {
  it('are automatic after all changes have been read, if phones retain audio', () => {
    expect(policies({}).download().all).toBe(true);
    expect(policies({ isCaughtUp: () => false }).download().all).toBe(false);
    const save = () => ({ ...defaultStorageSetting, appSave: 0 as const });
    const settings = { save, cloud: () => defaultCloudSetting };
    expect(policies({ settings }).download().all).toBe(false);
  });
});

describe('imports', () => {
  it('use minutes if they are transcribed automatically on a server with billing', () => {
    expect(policies({}).importsUseMinutes()).toBe(true);
    const notLoaded = { save: () => defaultStorageSetting, cloud: () => null };
    expect(policies({ settings: notLoaded }).importsUseMinutes()).toBe(true);
    expect(policies({ isVip: false }).importsUseMinutes()).toBe(false);
    expect(policies({ autoSync: false }).importsUseMinutes()).toBe(false);
    expect(policies({ language: () => 'th' }).importsUseMinutes()).toBe(false);
    const serverInfo = () => ({ billing: 'off', languages }) as const;
    expect(policies({ serverInfo }).importsUseMinutes()).toBe(false);
  });
});

describe('live text', () => {
  it('is in the language of the automatic transcription', () => {
    expect(policies({}).live()).toEqual({ status: 'ready', language: 'en' });
  });

  const turnedOff = { transcription: () => ({ language: null, live: false }) };
  const loading = { transcription: () => null };
  const wifiOnly = { cloud: () => ({ autoSync: true, wifiOnly: true }) };
  it.each([
    ['turned off', { settings: turnedOff }, 'off'],
    ['off without automatic uploads', { autoSync: false }, 'off'],
    ['reserved for members', { isVip: false }, 'not_member'],
    ['unavailable in some languages', { language: () => 'th' }, 'unsupported_language'],
    [
      'held back on mobile data',
      {
        network: { get: () => 'mobile' as const },
        settings: wifiOnly,
      },
      'network_not_allowed',
    ],
    ['unknown before the server responds', { serverInfo: () => null }, 'unknown'],
    ['unknown before the settings load', { settings: loading }, 'unknown'],
  ] as const)('is %s', (_, overrides, status) => {
    expect(policies(overrides).live()).toEqual({ status });
  });

  it('is available to all accounts on servers without billing', () => {
    const serverInfo = () => ({ billing: 'off', languages }) as const;
    expect(policies({ isVip: false, serverInfo }).live()).toMatchObject({ status: 'ready' });
  });
});
