import { defaultCloudSetting, defaultSaveSetting } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import { type CloudPoliciesOptions, createCloudPolicies } from './cloud-policy.ts';

const languages = [{ language: 'en', engine: 'test', quality: 'good' }] as const;

function membership(isVip: boolean) {
  return { isVip, plan: null, expiresAt: null, leftMinutes: 0, subscription: null };
}

/** Policies of a member on Wi-Fi with default settings, except as given. */
function policies(given: Partial<CloudPoliciesOptions> & { isVip?: boolean; autoSync?: boolean }) {
  const { isVip = true, autoSync = true, ...options } = given;
  return createCloudPolicies({
    account: {
      membership: { get: () => membership(isVip), subscribe: () => () => {} },
      state: { get: () => ({ status: 'loading' }), subscribe: () => () => {} },
    },
    settings: {
      save: () => defaultSaveSetting,
      cloud: () => ({ ...defaultCloudSetting, autoSync }),
    },
    facts: () => ({ billing: 'stripe', languages }),
    network: { get: () => 'fixed' },
    isCaughtUp: () => true,
    language: () => 'en',
    ...options,
  });
}

describe('uploads', () => {
  it('are automatic for members, with a transcript in the language of the interface', () => {
    const { upload, pauseReason } = policies({});
    expect(upload()).toEqual({ upload: true, transcribe: 'en', maySend: true });
    expect(pauseReason()).toBeNull();
  });

  it.each([
    ['not a member', { isVip: false }, 'not_member'],
    ['automatic upload is off', { autoSync: false }, 'switched_off'],
  ] as const)('wait for the owner: %s', (_, given, reason) => {
    const { upload, pauseReason } = policies(given);
    expect(upload()).toMatchObject({ upload: false, transcribe: null });
    expect(pauseReason()).toBe(reason);
  });

  it('serve only transcription while cloud storage is off', () => {
    const save = () => ({ ...defaultSaveSetting, cloudSave: 0 as const });
    const settings = { save, cloud: () => defaultCloudSetting };
    const { upload, pauseReason } = policies({ settings });
    expect(upload()).toMatchObject({ upload: false, transcribe: 'en' });
    expect(pauseReason()).toBe('cloud_off');
  });

  it('treat every account as a member on servers without billing', () => {
    const facts = () => ({ billing: 'off', languages }) as const;
    expect(policies({ isVip: false, facts }).upload()).toMatchObject({ upload: true });
  });

  it('request no transcript in a language that the server does not support', () => {
    expect(policies({ language: () => 'th' }).upload()).toMatchObject({ transcribe: null });
  });

  it.each([
    ['mobile', false],
    ['fixed', true],
    ['unknown', true],
  ] as const)('on Wi-Fi only: %s network, %s', (kind, maySend) => {
    const cloud = () => ({ autoSync: true, wifiOnly: true });
    const settings = { save: () => defaultSaveSetting, cloud };
    const { upload, download } = policies({ settings, network: { get: () => kind } });
    expect(upload().maySend).toBe(maySend);
    expect(download().mayReceive).toBe(maySend);
  });

  it('wait until the settings are read', () => {
    const settings = { save: () => defaultSaveSetting, cloud: () => null };
    expect(policies({ settings }).upload()).toEqual({
      upload: false,
      transcribe: null,
      maySend: false,
    });
  });
});

describe('downloads', () => {
  it('are automatic once all changes are read, while phones keep audio', () => {
    expect(policies({}).download().all).toBe(true);
    expect(policies({ isCaughtUp: () => false }).download().all).toBe(false);
    const save = () => ({ ...defaultSaveSetting, appSave: 0 as const });
    const settings = { save, cloud: () => defaultCloudSetting };
    expect(policies({ settings }).download().all).toBe(false);
  });
});

describe('imports', () => {
  it('use minutes if they are transcribed automatically and minutes are billed', () => {
    expect(policies({}).importsUseMinutes()).toBe(true);
    const unread = { save: () => defaultSaveSetting, cloud: () => null };
    expect(policies({ settings: unread }).importsUseMinutes()).toBe(true);
    expect(policies({ isVip: false }).importsUseMinutes()).toBe(false);
    expect(policies({ autoSync: false }).importsUseMinutes()).toBe(false);
    expect(policies({ language: () => 'th' }).importsUseMinutes()).toBe(false);
    const facts = () => ({ billing: 'off', languages }) as const;
    expect(policies({ facts }).importsUseMinutes()).toBe(false);
  });
});
