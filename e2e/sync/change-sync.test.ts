import { setImmediate } from 'node:timers/promises';
import type { Change, Operation } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { createStores, migrate, type SqlDatabase } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  AudioStoreError,
  BACKOFF_SECONDS,
  CHANGES_POLL_MS,
  type ChangeStore,
  ChangeSync,
  type ChangesCloud,
  type RecordStore,
} from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';

const UID = 'owner';
const ID = 'recording';

let database: SqlDatabase;
let records: RecordStore;
let changes: ChangeStore;
let cloud: ScriptedServer;
let removed: string[];
/** Errors that the next removals of audio throw. */
let stuck: AudioStoreError[];
let clock: SteppedClock;
let logged: string[];
/** How many times sync has caught up. */
let caughtUp: number;
let stop: AbortController;
let running: Promise<void>;

const network: CallFailure = { kind: 'network', cause: 'test' };

/** A server that accepts every operation without conflicts. Its next answers can be set to failures. */
class ScriptedServer implements ChangesCloud {
  readonly batches: (readonly Operation[])[] = [];
  readonly cursors: (string | undefined)[] = [];
  readonly failing: { apply: CallFailure[]; changes: CallFailure[] } = { apply: [], changes: [] };
  /** The operation it cannot read. */
  unreadable: (op: Operation) => boolean = () => false;
  /** Changes that the next read returns. */
  news: Change[] = [];
  /** Whether answers name operations that were never sent. */
  strange = false;
  #rev = 0;

  async apply(ops: readonly Operation[]) {
    this.batches.push(ops);
    const failure = this.failing.apply.shift();
    if (failure) return { ok: false, failure } as const;
    if (ops.some(this.unreadable)) {
      return { ok: false, failure: { kind: 'server', code: codes.badRequest, msg: '' } } as const;
    }
    const results = ops.map(({ op_id }) => ({
      op_id: this.strange ? 'other' : op_id,
      outcome: 'applied' as const,
      rev: ++this.#rev,
      code: 0,
      msg: '',
    }));
    return { ok: true, data: { results, rev: this.#rev } } as const;
  }

  async changes(cursor: string | undefined) {
    this.cursors.push(cursor);
    const failure = this.failing.changes.shift();
    if (failure) return { ok: false, failure } as const;
    const next = `${this.cursors.length}`;
    return {
      ok: true,
      data: { changes: this.news.splice(0), cursor: next, more: false },
    } as const;
  }
}

/** A clock that stands still, except for waits short enough to pass at once. */
class SteppedClock {
  readonly pauses: number[] = [];
  /** Longer waits last until they are aborted. */
  patience = 0;
  #now = 1_700_000_000_000;

  now = () => this.#now;

  sleep = async (ms: number, signal: AbortSignal) => {
    this.pauses.push(ms);
    if (ms > this.patience) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    this.#now += ms;
    await setImmediate();
  };
}

function start(): ChangeSync {
  stop = new AbortController();
  const sync = new ChangeSync({
    uid: UID,
    changes,
    audio: {
      remove: async (id) => {
        const failure = stuck.shift();
        if (failure) throw failure;
        removed.push(id);
      },
    },
    cloud,
    clock,
    log: (event) => void logged.push(event),
    onCaughtUp: () => {
      caughtUp += 1;
    },
  });
  running = sync.run(stop.signal);
  return sync;
}

const rename = (name: string) =>
  changes.edit(UID, { type: 'recording.rename', recording: ID, name });
const told = () => cloud.batches.flat();

beforeEach(async () => {
  database = await openNodeSqlite(':memory:');
  await migrate(database);
  ({ records, changes } = createStores(database));
  cloud = new ScriptedServer();
  clock = new SteppedClock();
  removed = [];
  stuck = [];
  logged = [];
  caughtUp = 0;
  await records.ensure({
    id: ID,
    uid: UID,
    sn: 'SN',
    deviceFileId: 1,
    createDate: new Date(0).toISOString(),
    seconds: 10,
    recSource: 1,
    audioBytes: 1,
  });
});

afterEach(async () => {
  stop.abort();
  await running;
  await database.close();
});

describe('syncing changes between phone and server', () => {
  it('sends pending operations as soon as the server knows the recording, without being woken', async () => {
    const sync = start();
    await until('it has looked', () => cloud.cursors.length === 1);
    await rename('Mine');
    await records.update(ID, { server_id: 'known' });
    await until('it is told', () => told().length === 1);
    await rename('Mine, too');
    await until('the next is told', () => told().length === 2);
    await until('the outcome was read', () => cloud.cursors.length === 3);
    expect(cloud.cursors).toEqual([undefined, '1', '2']);
    expect(told().map((op) => op.type === 'recording.rename' && op.name)).toEqual([
      'Mine',
      'Mine, too',
    ]);
    expect(sync.reach.status).toBe('reached');
  });

  it('sends no requests while idle, and polls after a while or when woken', async () => {
    const sync = start();
    // The first wait ends with the commit of the changes just read.
    await until('it rests', () => clock.pauses.length === 2);
    expect(clock.pauses).toEqual([CHANGES_POLL_MS, CHANGES_POLL_MS]);
    // A commit that leaves no operation pending.
    await records.update(ID, { process: 1 });
    await until('it rests again', () => clock.pauses.length === 3);
    expect(cloud.cursors).toHaveLength(1);
    sync.wake();
    await until('it looks', () => cloud.cursors.length === 2);
    await until('it rests once more', () => clock.pauses.length === 5);
    clock.patience = CHANGES_POLL_MS;
    await records.update(ID, { process: 2 });
    await until('it looks by itself', () => cloud.cursors.length > 3);
    clock.patience = 0;
    expect(cloud.batches).toEqual([]);
  });

  it('backs off while requests fail, and resends the same operations', async () => {
    await records.update(ID, { server_id: 'known' });
    await rename('Mine');
    cloud.failing.apply.push(network, { kind: 'timeout' }, { kind: 'http', status: 502 });
    cloud.failing.changes.push(network);
    clock.patience = CHANGES_POLL_MS - 1;
    const sync = start();
    await until('it was read', () => cloud.cursors.length === 2);
    const [first, second, third, fourth] = BACKOFF_SECONDS.map((seconds) => seconds * 1000);
    expect(clock.pauses.slice(0, 4)).toEqual([first, second, third, fourth]);
    expect(new Set(told().map(({ op_id }) => op_id)).size).toBe(1);
    expect(cloud.batches).toHaveLength(4);
    await until('the server is reached', () => sync.reach.status === 'reached');
    expect(await changes.pending(UID)).toEqual([]);
  });

  it('retries at once when woken during a wait', async () => {
    cloud.failing.changes.push(network);
    const sync = start();
    await until('it waits', () => sync.reach.status === 'waiting');
    sync.wake();
    await until('it is reached', () => sync.reach.status === 'reached');
    expect(cloud.cursors).toEqual([undefined, undefined]);
  });

  it('polls at once on request, reports the result, and continues if the server answers', async () => {
    cloud.failing.changes.push(network, network);
    const sync = start();
    await until('it waits', () => sync.reach.status === 'waiting');
    expect(await sync.poll(stop.signal)).toEqual({ ok: false, failure: network });
    expect(caughtUp).toBe(0);
    expect(await sync.poll(stop.signal)).toEqual({ ok: true, data: null });
    expect(caughtUp).toBeGreaterThan(0);
    await until('it goes on', () => sync.reach.status === 'reached');
    stop.abort();
    const aborted = { ok: false, failure: { kind: 'aborted' } };
    expect(await sync.poll(stop.signal)).toEqual(aborted);
  });

  it('isolates the operation that the server cannot read, and sends the others', async () => {
    await records.update(ID, { server_id: 'known' });
    for (let n = 0; n < 9; n++) {
      await changes.edit(UID, { type: 'recording.tag', recording: ID, tag: `${n}`, on: true });
    }
    cloud.unreadable = (op) => op.type === 'recording.tag' && op.tag === '4';
    start();
    await until('the changes were read', () => cloud.cursors.length === 1);
    expect(await changes.pending(UID)).toEqual([]);
    expect(logged).toEqual(['changes.refused']);
    const taken = cloud.batches.filter((ops) => !ops.some(cloud.unreadable)).flat();
    expect(taken.map((op) => op.type === 'recording.tag' && op.tag).join('')).toBe('01235678');
  });

  it('sends no more operations at once than a call accepts', async () => {
    await records.update(ID, { server_id: 'known' });
    const label = 'ظ'.repeat(limits.recording.nameMaxLength);
    const heavy = Array.from({ length: 400 }, (_, n) => ({
      id: `${n}`,
      parentid: '',
      topic: label,
    }));
    for (let n = 0; n < 6; n++) {
      const act = { type: 'recording.mindMap', recording: ID, mind_map: heavy } as const;
      await changes.edit(UID, act);
    }
    for (let n = 0; n < limits.sync.operations + 1; n++) await rename(`${n}`);
    start();
    await until('all is told', async () => (await changes.pending(UID)).length === 0);
    for (const ops of cloud.batches) {
      expect(ops.length).toBeLessThanOrEqual(limits.sync.operations);
      expect(Buffer.byteLength(JSON.stringify({ ops }))).toBeLessThan(limits.jsonBodyBytes);
    }
    expect(told()).toHaveLength(limits.sync.operations + 7);
    expect(cloud.batches.length).toBeGreaterThan(3);
  });

  it('starts over when the server does not know its cursor', async () => {
    start();
    await until('it has looked', () => cloud.cursors.length === 1);
    stop.abort();
    await running;
    cloud.failing.changes.push({ kind: 'server', code: codes.badRequest, msg: '' });
    start();
    await until('it has read', async () => (await changes.cursor(UID)) === '3');
    expect(cloud.cursors).toEqual([undefined, '1', undefined]);
  });

  it('ignores results for operations that it never sent', async () => {
    await records.update(ID, { server_id: 'known' });
    await rename('Mine');
    cloud.strange = true;
    const sync = start();
    await until('it waits', () => sync.reach.status === 'waiting');
    expect(sync.reach).toMatchObject({ failure: { kind: 'malformed' } });
    expect(await changes.pending(UID)).toHaveLength(1);
  });

  it('stores nothing after it was stopped', async () => {
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const read = cloud.changes.bind(cloud);
    cloud.changes = async (cursor) => {
      asked.resolve();
      await late.promise;
      return read(cursor);
    };
    start();
    await asked.promise;
    stop.abort();
    late.resolve();
    await running;
    expect(await changes.cursor(UID)).toBeUndefined();
  });

  it('drops the audio of permanently deleted recordings: at once if deleted here, and if deleted elsewhere', async () => {
    cloud.failing.changes.push(network);
    await changes.edit(UID, { type: 'recording.delete', recording: ID });
    const deleted_at = new Date(0).toISOString();
    const tombstone = { kind: 'tombstone', rev: 9, id: 'x', deleted_at } as const;
    cloud.news = [{ ...tombstone, client_flag: 'elsewhere' }];
    stuck = [new AudioStoreError('io_failed')];
    const sync = start();
    await until('it waits', () => sync.reach.status === 'waiting');
    // The audio could not be dropped; sync continues.
    expect([removed, logged]).toEqual([[], ['changes.audio_left', 'changes.waiting']]);
    sync.wake();
    await until('both are dropped', () => removed.length === 2);
    expect(removed).toEqual([ID, 'elsewhere']);
    expect(await changes.orphanedAudio(UID)).toEqual([]);
    expect(told().map(({ type }) => type)).toEqual(['recording.delete']);
  });
});
