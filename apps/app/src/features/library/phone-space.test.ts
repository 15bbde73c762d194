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

/** In what order things were done. */
let done: string[];
/** What the server says that it holds. */
let inCloud: CloudResult<Sha256 | null>;
let answers: boolean;
/** This phone's copy. */
let local: CopyState;
let cloudSave: 0 | 1;
let appSave: 0 | 1;
/** When deleting because of the setting begins. */
let due: number;
/** Recordings that are being played, exported or made cleaner. */
let used: ReadonlySet<string>;
/** Of which the phone cannot delete the files. */
let stuck: ReadonlySet<string>;
let setting: () => Promise<void>;
let errors: unknown[];
/** What comes with the server's answer. */
/** Called when the server is asked for a digest. */
let asked: () => void;
let heard: () => void;

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
      // Another account's too.
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
      asked();
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
      deletesFrom: { recorder: null, phone: appSave === 1 ? null : due, cloud: null },
    }),
    async look() {
      done.push('look');
      heard();
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
  heard = () => {};
  asked = () => {};
  used = new Set();
  stuck = new Set();
  setting = async () => {};
  errors = [];
});
afterEach(() => {
  expect(errors).toEqual([]);
});

const told = ['app_freed 2026-03-01T08:00:00.000Z', 'look'];

describe('making room', () => {
  it('has the server know that it must keep its copy before this one goes', async () => {
    expect(await space().service.free(['a'])).toEqual({ ok: true, bytes: 100, stays: [] });
    expect(done).toEqual([...told, 'a absent', 'remove a']);
  });

  it('deletes nothing where the server does not answer', async () => {
    answers = false;
    expect(await space().service.free(['a'])).toMatchObject({ ok: false, code: 'server' });
    expect(done).toEqual(told);
  });

  it('deletes nothing where the phone cannot note what the server is to know', async () => {
    setting = () => Promise.reject(new Error('full'));
    expect(await space().service.free(['a'])).toEqual({ ok: false, code: 'phone' });
    expect(done).toEqual([]);
    expect(errors.splice(0)).toMatchObject([{ message: 'full' }]);
  });

  it('spares what is played, exported or made cleaner', async () => {
    used = new Set(['a']);
    const stays = [{ id: 'a', why: 'in_use' }];
    expect(await space().service.free(['a', 'b'])).toMatchObject({ ok: true, stays });
    expect(done).toEqual([...told, 'b absent', 'remove b']);
  });

  it('takes what its own page plays, if that page asks', async () => {
    used = new Set(['a']);
    const freed = space().service.free(['a'], { fromItsPage: true });
    expect(await freed).toMatchObject({ ok: true, stays: [] });
    expect(done).toEqual([...told, 'a absent', 'remove a']);
  });

  it('goes on with the others where one cannot be deleted', async () => {
    stuck = new Set(['a']);
    const stays = [{ id: 'a', why: 'failed' }];
    expect(await space().service.free(['a', 'b'])).toMatchObject({ ok: true, bytes: 0, stays });
    expect(done).toEqual([...told, 'a absent', 'b absent', 'remove b']);
    expect(errors.splice(0)).toMatchObject([{ message: 'stuck' }]);
  });

  it('deletes nothing where the server does not say what it holds', async () => {
    inCloud = { ok: false, failure: { kind: 'timeout' } };
    expect(await space().service.free(['a'])).toMatchObject({ ok: false, code: 'server' });
    expect(done).toEqual(told);
  });

  it.each([
    ['the server holds none', { digest: null }, 'not_safe'],
    ['the cloud is not to keep any', { cloudSave: 0 }, 'not_safe'],
    ['the server has other audio', { digest: sha256From('cd'.repeat(32)) }, 'differs'],
  ] as const)('keeps the copy when %s', async (_, differs, why) => {
    if ('digest' in differs) inCloud = { ok: true, data: differs.digest };
    else cloudSave = differs.cloudSave;
    const stays = [{ id: 'a', why }];
    expect(await space().service.free(['a'])).toEqual({ ok: true, bytes: 0, stays });
    expect(done).toEqual(told);
  });
});

describe('what fills the phone', () => {
  it('counts all of it, and lists what is the account’s own or is being brought over', async () => {
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

describe('by rule', () => {
  it('frees nothing while phones are to keep theirs', async () => {
    await space().freeByRule();
    expect(done).toEqual([]);
  });

  it('frees what is safe once they are not, and says so to nobody who knows', async () => {
    appSave = 0;
    await space().freeByRule();
    expect(done).toEqual(['look', 'a absent', 'remove a']);
  });

  it('frees nothing before the grace is over', async () => {
    appSave = 0;
    due = NOW + 1;
    await space().freeByRule();
    expect(done).toEqual([]);
  });

  it('frees nothing once another phone has said that phones keep theirs', async () => {
    appSave = 0;
    heard = () => {
      appSave = 1;
    };
    await space().freeByRule();
    expect(done).toEqual(['look']);
  });

  it('frees nothing once phones keep theirs again while the server answers', async () => {
    appSave = 0;
    asked = () => {
      appSave = 1;
    };
    await space().freeByRule();
    expect(done).toEqual(['look']);
  });

  it('looks once more when it is asked meanwhile', async () => {
    appSave = 0;
    const { freeByRule } = space();
    heard = () => {
      heard = () => {};
      void freeByRule();
    };
    await freeByRule();
    const once = ['look', 'a absent', 'remove a'];
    expect(done).toEqual([...once, ...once]);
  });
});

describe('files that an ended app left', () => {
  it('go once the server confirms that it has the same audio now', async () => {
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
