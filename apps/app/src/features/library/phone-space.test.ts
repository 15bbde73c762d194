import {
  type CloudResult,
  type CopyState,
  type RecordDetail,
  type Sha256,
  sha256From,
} from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPhoneSpace } from './phone-space.ts';

const sha256 = sha256From('ab'.repeat(32));
const copy = { status: 'verified', bytes: 10, sha256 } as const;
const NOW = Date.parse('2026-03-01T08:00:00Z');

/** Operations in order. */
let done: string[];
/** The digest that the server reports. */
let inCloud: CloudResult<Sha256 | null>;
let answers: boolean;
/** This phone's copy. */
let local: CopyState;
let cloudSave: 0 | 1;
let appSave: 0 | 1;
/** When deletion by the storage setting starts. */
let due: number;
/** Recordings being played, exported or denoised. */
let used: ReadonlySet<string>;
/** Recordings whose files cannot be deleted. */
let stuck: ReadonlySet<string>;
let setting: () => Promise<void>;
let errors: unknown[];
/** Arrives with the server's answer. */
/** Called when the server receives a digest call. */
let onDigestCall: () => void;
let onPoll: () => void;

function space() {
  const detail = {
    ...{ id: 'a', server_id: 's' },
    copies: { recorder: { status: 'absent' }, phone: local, cloud: copy },
    receipt: { deletions: [{ place: 'phone', survivor: { place: 'cloud', sha256 } }] },
  } as unknown as RecordDetail;
  return createPhoneSpace({
    records: {
      detail: async () => detail,
      update: async (id, { copies }) => void done.push(`${id} ${copies?.phone?.status}`),
      // Includes another account's.
      work: async (ids) =>
        new Map(
          ids
            .filter((id) => id === 'a' || (id !== 'coming' && local === copy))
            .map((id) => [id, detail as never]),
        ),
      summaries: async () => [detail as never],
      binned: async () => [{ id: 'binned' } as never],
      subscribe: () => () => {},
    },
    audio: {
      master: async () => new Blob(['the master']),
      async remove(id) {
        if (stuck.has(id)) throw new Error('stuck');
        done.push(`remove ${id}`);
      },
    },
    files: {
      audio: async () => [
        { id: 'a', kind: 'ogg', bytes: 10 },
        { id: 'a', kind: 'wav', bytes: 90 },
        { id: 'theirs', kind: 'ogg', bytes: 7 },
        { id: 'binned', kind: 'ogg', bytes: 8 },
        { id: 'coming', kind: 'packets', bytes: 300 },
      ],
      database: async () => 0,
      estimate: async () => null,
    },
    inUse: { has: (id, use) => use !== 'work' && used.has(id) },
    async cloudDigest() {
      onDigestCall();
      return inCloud;
    },
    settings: {
      async set(_group, key, value) {
        await setting();
        done.push(`${key} ${value}`);
      },
    },
    storage: async () => ({
      setting: { devcieSave: 1, appSave, cloudSave },
      earliestDeletions: { recorder: null, phone: appSave === 1 ? null : due, cloud: null },
    }),
    async poll() {
      done.push('look');
      onPoll();
      return answers ? { ok: true, data: null } : { ok: false, failure: { kind: 'timeout' } };
    },
    uid: () => 'owner',
    now: () => new Date(NOW),
    onError: (error) => errors.push(error),
  });
}

beforeEach(() => {
  done = [];
  inCloud = { ok: true, data: sha256 };
  local = copy;
  due = NOW;
  answers = true;
  cloudSave = 1;
  appSave = 1;
  onPoll = () => {};
  onDigestCall = () => {};
  used = new Set();
  stuck = new Set();
  setting = async () => {};
  errors = [];
});
afterEach(() => {
  expect(errors).toEqual([]);
});

const notified = ['app_freed 2026-03-01T08:00:00.000Z', 'look'];

describe('freeing space', () => {
  it('has the server retain its copy before deleting the local one', async () => {
    expect(await space().service.free(['a'])).toEqual({ ok: true, bytes: 100, retained: [] });
    expect(done).toEqual([...notified, 'a absent', 'remove a']);
  });

  it('deletes nothing without an answer from the server', async () => {
    answers = false;
    expect(await space().service.free(['a'])).toMatchObject({ ok: false, code: 'server' });
    expect(done).toEqual(notified);
  });

  it('deletes nothing if the setting cannot be saved', async () => {
    setting = () => Promise.reject(new Error('full'));
    expect(await space().service.free(['a'])).toEqual({ ok: false, code: 'phone' });
    expect(done).toEqual([]);
    expect(errors.splice(0)).toMatchObject([{ message: 'full' }]);
  });

  it('skips recordings being played, exported or denoised', async () => {
    used = new Set(['a']);
    const retained = [{ id: 'a', reason: 'in_use' }];
    expect(await space().service.free(['a', 'b'])).toMatchObject({ ok: true, retained });
    expect(done).toEqual([...notified, 'b absent', 'remove b']);
  });

  it('deletes a recording open in its own player if its page requests it', async () => {
    used = new Set(['a']);
    const freed = space().service.free(['a'], { fromRecordingPage: true });
    expect(await freed).toMatchObject({ ok: true, retained: [] });
    expect(done).toEqual([...notified, 'a absent', 'remove a']);
  });

  it('continues after a failed deletion', async () => {
    stuck = new Set(['a']);
    const retained = [{ id: 'a', reason: 'failed' }];
    expect(await space().service.free(['a', 'b'])).toMatchObject({ ok: true, bytes: 0, retained });
    expect(done).toEqual([...notified, 'a absent', 'b absent', 'remove b']);
    expect(errors.splice(0)).toMatchObject([{ message: 'stuck' }]);
  });

  it('deletes nothing if the server does not confirm its copy', async () => {
    inCloud = { ok: false, failure: { kind: 'timeout' } };
    expect(await space().service.free(['a'])).toMatchObject({ ok: false, code: 'server' });
    expect(done).toEqual(notified);
  });

  it.each([
    ['the server holds none', { digest: null }, 'not_safe'],
    ['the cloud is not to keep any', { cloudSave: 0 }, 'not_safe'],
    ['the server has other audio', { digest: sha256From('cd'.repeat(32)) }, 'differs'],
  ] as const)('keeps the copy when %s', async (_, differs, reason) => {
    if ('digest' in differs) inCloud = { ok: true, data: differs.digest };
    else cloudSave = differs.cloudSave;
    const retained = [{ id: 'a', reason }];
    expect(await space().service.free(['a'])).toEqual({ ok: true, bytes: 0, retained });
    expect(done).toEqual(notified);
  });
});

describe('storage on the phone', () => {
  it('includes all files, and lists the account’s recordings and transfers', async () => {
    const { space: measured } = space().service;
    const stop = measured.subscribe(() => {});
    await vi.waitFor(() => expect(measured.get().status).toBe('ready'));
    stop();
    expect(measured.get()).toMatchObject({
      value: {
        audio: 415,
        recordings: [
          { id: 'coming', bytes: 300 },
          { id: 'a', bytes: 100 },
          { id: 'binned', bytes: 8 },
        ],
        others: 7,
      },
    });
  });
});

describe('the storage setting', () => {
  it('frees nothing while it retains audio on phones', async () => {
    await space().applyStoragePolicy();
    expect(done).toEqual([]);
  });

  it('frees safe copies once it does not, without changing the setting again', async () => {
    appSave = 0;
    await space().applyStoragePolicy();
    expect(done).toEqual(['look', 'a absent', 'remove a']);
  });

  it('frees nothing during the grace period', async () => {
    appSave = 0;
    due = NOW + 1;
    await space().applyStoragePolicy();
    expect(done).toEqual([]);
  });

  it('frees nothing if another phone has reverted it', async () => {
    appSave = 0;
    onPoll = () => {
      appSave = 1;
    };
    await space().applyStoragePolicy();
    expect(done).toEqual(['look']);
  });

  it('frees nothing if it is reverted during the server call', async () => {
    appSave = 0;
    onDigestCall = () => {
      appSave = 1;
    };
    await space().applyStoragePolicy();
    expect(done).toEqual(['look']);
  });

  it('runs again if requested during a run', async () => {
    appSave = 0;
    const { applyStoragePolicy } = space();
    onPoll = () => {
      onPoll = () => {};
      void applyStoragePolicy();
    };
    await applyStoragePolicy();
    const once = ['look', 'a absent', 'remove a'];
    expect(done).toEqual([...once, ...once]);
  });
});

describe('leftover files of an interrupted deletion', () => {
  it('are deleted once the server confirms its copy', async () => {
    local = { status: 'absent' };
    await space().sweep();
    expect(done).toEqual(['remove a']);
  });

  it.each<[string, CloudResult<Sha256 | null>]>([
    ['lost it', { ok: true, data: null }],
    ['has other audio', { ok: true, data: sha256From('cd'.repeat(32)) }],
    ['does not answer', { ok: false, failure: { kind: 'timeout' } }],
  ])('stay where the server %s', async (_, answer) => {
    local = { status: 'absent' };
    inCloud = answer;
    await space().sweep();
    expect(done).toEqual([]);
  });
});
