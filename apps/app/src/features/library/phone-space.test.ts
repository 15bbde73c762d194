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
const verifiedCopy = { status: 'verified', bytes: 10, sha256 } as const;
const NOW = Date.parse('2026-03-01T08:00:00Z');

/** The operations performed, in order. */
let operations: string[];
/** The digest that the server reports for its copy. */
let cloudDigest: CloudResult<Sha256 | null>;
let isServerReachable: boolean;
/** The state of the copy on this phone. */
let phoneCopy: CopyState;
let cloudSave: 0 | 1;
let appSave: 0 | 1;
/** The time from which the storage setting allows deletion. */
let deletionStart: number;
/** Recordings being played, exported or denoised. */
let idsInUse: ReadonlySet<string>;
/** Recordings whose files can't be deleted. */
let undeletableIds: ReadonlySet<string>;
/** Recordings that were permanently deleted. */
let idsDeletedPermanently: ReadonlySet<string>;
let beforeSet: () => Promise<void>;
let errors: unknown[];
/** Recordings whose files have been deleted. */
let deletedIds: Set<string>;
/** Called when the server receives a request for a digest. */
let onDigestCall: () => void;
let onPoll: () => void;

function createTestPhoneSpace() {
  const detail = {
    id: 'a',
    server_id: 's',
    copies: { recorder: { status: 'absent' }, phone: phoneCopy, cloud: verifiedCopy },
    receipt: { deletions: [{ place: 'phone', survivor: { place: 'cloud', sha256 } }] },
  } as unknown as RecordDetail;
  return createPhoneSpace({
    records: {
      detail: async () => detail,
      update: async (id, { copies }) => void operations.push(`${id} ${copies?.phone?.status}`),
      // Also returns another account's recordings.
      work: async (ids) =>
        new Map(
          ids
            .filter((id) => id === 'a' || (id !== 'transferring' && phoneCopy === verifiedCopy))
            .map((id) => [id, detail as never]),
        ),
      summaries: async () => [detail as never],
      binned: async () => [{ id: 'binned' } as never],
      tombstones: async (ids) => new Set(ids.filter((id) => idsDeletedPermanently.has(id))),
      subscribe: () => () => {},
    },
    audio: {
      master: async () => new Blob(['the master']),
      async remove(id) {
        if (undeletableIds.has(id)) throw new Error('locked');
        operations.push(`remove ${id}`);
        deletedIds.add(id);
      },
    },
    files: {
      audio: async () =>
        [
          { id: 'a', kind: 'ogg', bytes: 10 },
          { id: 'a', kind: 'wav', bytes: 90 },
          { id: 'foreign', kind: 'ogg', bytes: 7 },
          { id: 'binned', kind: 'ogg', bytes: 8 },
          { id: 'transferring', kind: 'packets', bytes: 300 },
        ].filter(({ id }) => !deletedIds.has(id)),
      database: async () => 0,
      estimate: async () => null,
    },
    inUse: { has: (id, use) => use !== 'work' && idsInUse.has(id) },
    async cloudDigest() {
      onDigestCall();
      return cloudDigest;
    },
    settings: {
      async set(_group, key, value) {
        await beforeSet();
        operations.push(`${key} ${value}`);
      },
    },
    storage: async () => ({
      setting: { devcieSave: 1, appSave, cloudSave },
      earliestDeletions: {
        recorder: null,
        phone: appSave === 1 ? null : deletionStart,
        cloud: null,
      },
    }),
    async poll() {
      operations.push('poll');
      onPoll();
      return isServerReachable
        ? { ok: true, data: null }
        : { ok: false, failure: { kind: 'timeout' } };
    },
    uid: () => 'owner',
    now: () => new Date(NOW),
    onError: (error) => errors.push(error),
  });
}

beforeEach(() => {
  operations = [];
  cloudDigest = { ok: true, data: sha256 };
  phoneCopy = verifiedCopy;
  deletionStart = NOW;
  isServerReachable = true;
  cloudSave = 1;
  appSave = 1;
  onPoll = () => {};
  onDigestCall = () => {};
  idsInUse = new Set();
  undeletableIds = new Set();
  idsDeletedPermanently = new Set();
  deletedIds = new Set();
  beforeSet = async () => {};
  errors = [];
});
afterEach(() => {
  expect(errors).toEqual([]);
});

const settingAndPoll = ['app_freed 2026-03-01T08:00:00.000Z', 'poll'];

describe('freeing space', () => {
  it('saves the setting and polls the server before deleting the local copy', async () => {
    expect(await createTestPhoneSpace().service.free(['a'])).toEqual({
      ok: true,
      bytes: 100,
      retained: [],
    });
    expect(operations).toEqual([...settingAndPoll, 'a absent', 'remove a']);
  });

  it('deletes nothing if the server does not respond', async () => {
    isServerReachable = false;
    expect(await createTestPhoneSpace().service.free(['a'])).toMatchObject({
      ok: false,
      code: 'server',
    });
    expect(operations).toEqual(settingAndPoll);
  });

  it('deletes nothing if the setting cannot be saved', async () => {
    beforeSet = () => Promise.reject(new Error('full'));
    expect(await createTestPhoneSpace().service.free(['a'])).toEqual({ ok: false, code: 'phone' });
    expect(operations).toEqual([]);
    expect(errors.splice(0)).toMatchObject([{ message: 'full' }]);
  });

  it('skips recordings being played, exported or denoised', async () => {
    idsInUse = new Set(['a']);
    const retained = [{ id: 'a', reason: 'in_use' }];
    expect(await createTestPhoneSpace().service.free(['a', 'b'])).toMatchObject({
      ok: true,
      retained,
    });
    expect(operations).toEqual([...settingAndPoll, 'b absent', 'remove b']);
  });

  it('deletes a recording that is open in the player if its own page requests it', async () => {
    idsInUse = new Set(['a']);
    const freed = createTestPhoneSpace().service.free(['a'], { fromRecordingPage: true });
    expect(await freed).toMatchObject({ ok: true, retained: [] });
    expect(operations).toEqual([...settingAndPoll, 'a absent', 'remove a']);
  });

  it('continues after a failed deletion', async () => {
    undeletableIds = new Set(['a']);
    const retained = [{ id: 'a', reason: 'failed' }];
    expect(await createTestPhoneSpace().service.free(['a', 'b'])).toMatchObject({
      ok: true,
      bytes: 0,
      retained,
    });
    expect(operations).toEqual([...settingAndPoll, 'a absent', 'b absent', 'remove b']);
    expect(errors.splice(0)).toMatchObject([{ message: 'locked' }]);
  });

  it('deletes nothing if the server does not confirm its copy', async () => {
    cloudDigest = { ok: false, failure: { kind: 'timeout' } };
    expect(await createTestPhoneSpace().service.free(['a'])).toMatchObject({
      ok: false,
      code: 'server',
    });
    expect(operations).toEqual(settingAndPoll);
  });

  it.each([
    ['the server has no copy', { digest: null }, 'not_safe'],
    ['cloud storage is turned off', { cloudSave: 0 }, 'not_safe'],
    ['the server has different audio', { digest: sha256From('cd'.repeat(32)) }, 'differs'],
  ] as const)('retains the local copy if %s', async (_, change, reason) => {
    if ('digest' in change) cloudDigest = { ok: true, data: change.digest };
    else cloudSave = change.cloudSave;
    const retained = [{ id: 'a', reason }];
    expect(await createTestPhoneSpace().service.free(['a'])).toEqual({
      ok: true,
      bytes: 0,
      retained,
    });
    expect(operations).toEqual(settingAndPoll);
  });
});

describe('the measurement', () => {
  it('includes all files and lists the recordings of the account with their sizes', async () => {
    const { space: measured } = createTestPhoneSpace().service;
    const stop = measured.subscribe(() => {});
    await vi.waitFor(() => expect(measured.get().status).toBe('ready'));
    stop();
    expect(measured.get()).toMatchObject({
      value: {
        audio: 415,
        recordings: [
          { id: 'transferring', bytes: 300 },
          { id: 'a', bytes: 100 },
          { id: 'binned', bytes: 8 },
        ],
        others: 7,
      },
    });
  });

  it('is repeated after files have been deleted, because this happens after the record has changed', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('window', globalThis);
    const { space: measured, free } = createTestPhoneSpace().service;
    const stop = measured.subscribe(() => {});
    await vi.waitFor(() => expect(measured.get().status).toBe('ready'));
    await free(['a']);
    await vi.advanceTimersByTimeAsync(1000);
    stop();
    expect(measured.get()).toMatchObject({
      value: { recordings: [{ id: 'transferring' }, { id: 'binned' }] },
    });
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
});

describe('the storage setting', () => {
  it('frees nothing while it is set to retain audio on phones', async () => {
    await createTestPhoneSpace().applyStoragePolicy();
    expect(operations).toEqual([]);
  });

  it('frees copies that are safe in the cloud once it is turned off', async () => {
    appSave = 0;
    await createTestPhoneSpace().applyStoragePolicy();
    expect(operations).toEqual(['poll', 'a absent', 'remove a']);
  });

  it('frees nothing during the grace period', async () => {
    appSave = 0;
    deletionStart = NOW + 1;
    await createTestPhoneSpace().applyStoragePolicy();
    expect(operations).toEqual([]);
  });

  it('frees nothing if another phone has reverted it', async () => {
    appSave = 0;
    onPoll = () => {
      appSave = 1;
    };
    await createTestPhoneSpace().applyStoragePolicy();
    expect(operations).toEqual(['poll']);
  });

  it('frees nothing if it is reverted during the digest call', async () => {
    appSave = 0;
    onDigestCall = () => {
      appSave = 1;
    };
    await createTestPhoneSpace().applyStoragePolicy();
    expect(operations).toEqual(['poll']);
  });

  it('runs again if requested during a run', async () => {
    appSave = 0;
    const { applyStoragePolicy } = createTestPhoneSpace();
    onPoll = () => {
      onPoll = () => {};
      void applyStoragePolicy();
    };
    await applyStoragePolicy();
    const run = ['poll', 'a absent', 'remove a'];
    expect(operations).toEqual([...run, ...run]);
  });
});

describe('leftover files from an interrupted deletion', () => {
  it('are deleted once the server confirms its copy', async () => {
    phoneCopy = { status: 'absent' };
    await createTestPhoneSpace().sweep();
    expect(operations).toEqual(['remove a']);
  });

  it('are deleted if their recording was permanently deleted, even those of a download', async () => {
    idsDeletedPermanently = new Set(['transferring', 'gone']);
    await createTestPhoneSpace().sweep();
    expect(operations).toEqual(['remove transferring']);
  });

  it.each<[string, CloudResult<Sha256 | null>]>([
    ['has no copy', { ok: true, data: null }],
    ['has different audio', { ok: true, data: sha256From('cd'.repeat(32)) }],
    ['does not respond', { ok: false, failure: { kind: 'timeout' } }],
  ])('are retained if the server %s', async (_, digest) => {
    phoneCopy = { status: 'absent' };
    cloudDigest = digest;
    await createTestPhoneSpace().sweep();
    expect(operations).toEqual([]);
  });
});
