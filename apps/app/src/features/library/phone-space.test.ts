import { createHash } from 'node:crypto';
import type { RecordDetail, ServerRow } from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPhoneSpace } from './phone-space.ts';

const sound = new TextEncoder().encode('the master');
const sha256 = createHash('sha256').update(sound).digest('hex');
const copy = { status: 'verified', bytes: 10, sha256: 'packets' } as const;

/** In what order things were done. */
let done: string[];
let row: Partial<ServerRow> | null;
let answers: boolean;
let cloudSave: 0 | 1;
let appSave: 0 | 1;
/** Recordings that are being played, exported or made cleaner. */
let used: ReadonlySet<string>;
/** Of which the phone cannot delete the files. */
let stuck: ReadonlySet<string>;
let setting: () => Promise<void>;
let errors: unknown[];
/** What comes with the server's answer. */
let heard: () => void;

function space() {
  const detail = {
    ...{ id: 'a', server_id: 's' },
    copies: { recorder: { status: 'absent' }, phone: copy, cloud: copy },
  } as unknown as RecordDetail;
  return createPhoneSpace({
    records: {
      detail: async () => detail,
      update: async (id, { copies }) => void done.push(`${id} ${copies?.phone?.status}`),
      // Another account's too.
      work: async (ids) =>
        new Map(ids.filter((id) => id !== 'coming').map((id) => [id, detail as never])),
      summaries: async () => [detail as never],
      binned: async () => [{ id: 'binned' } as never],
      subscribe: () => () => {},
    },
    audio: {
      master: async () => new Blob([sound]),
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
    inUse: { has: (id) => used.has(id) },
    list: async () => ({
      ok: true,
      data: row ? [row, { ...row, client_flag: 'b' }].map((each) => each as ServerRow) : [],
    }),
    settings: {
      async set(_group, key, value) {
        await setting();
        done.push(`${key} ${value}`);
      },
    },
    saveSetting: async () => ({ devcieSave: 1, appSave, cloudSave }),
    async look() {
      done.push('look');
      heard();
      return answers ? { ok: true, data: null } : { ok: false, failure: { kind: 'timeout' } };
    },
    uid: () => 'owner',
    now: () => new Date('2026-03-01T08:00:00Z'),
    onError: (error) => errors.push(error),
  });
}

beforeEach(() => {
  done = [];
  row = { client_flag: 'a', url: 'http://store/a', sha256 };
  answers = true;
  cloudSave = 1;
  appSave = 1;
  heard = () => {};
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

  it('goes on with the others where one cannot be deleted', async () => {
    stuck = new Set(['a']);
    const stays = [{ id: 'a', why: 'failed' }];
    expect(await space().service.free(['a', 'b'])).toMatchObject({ ok: true, bytes: 0, stays });
    expect(done).toEqual([...told, 'a absent', 'b absent', 'remove b']);
    expect(errors.splice(0)).toMatchObject([{ message: 'stuck' }]);
  });

  it.each([
    ['the server does not know it', { row: null }, 'not_safe'],
    ['the server has let go of it', { row: { url: null } }, 'not_safe'],
    ['the server never checked it', { row: { sha256: null } }, 'not_safe'],
    ['the cloud is not to keep any', { cloudSave: 0 }, 'not_safe'],
    ['the server has other bytes', { row: { sha256: 'other' } }, 'differs'],
  ] as const)('keeps the copy when %s', async (_, differs, why) => {
    if ('row' in differs) row = differs.row && { ...row, ...differs.row };
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

  it('frees nothing once another phone has said that phones keep theirs', async () => {
    appSave = 0;
    heard = () => {
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
