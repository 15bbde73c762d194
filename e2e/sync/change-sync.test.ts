/** Tests that `ChangeSync` sends edits and pulls changes, against an in-memory server. */
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
  StorageFull,
} from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';
const ID = 'recording';

let database: SqlDatabase;
let records: RecordStore;
let changes: ChangeStore;
let cloud: ScriptedServer;
let removed: string[];
/** Errors that the next audio removals throw. */
let removalFailures: AudioStoreError[];
let clock: SteppedClock;
let logged: string[];
/** Number of completed pulls. */
let pullCount: number;
/** Arguments of the calls of `onReceiving`. */
let receiving: boolean[];
let stop: AbortController;
let running: Promise<void>;

const network: CallFailure = { kind: 'network', cause: 'test' };

/** A server that accepts every operation without conflict. Its next responses can be scripted to fail. */
class ScriptedServer implements ChangesCloud {
  readonly batches: (readonly Operation[])[] = [];
  readonly cursors: (string | undefined)[] = [];
  readonly failing: { apply: CallFailure[]; changes: CallFailure[] } = { apply: [], changes: [] };
  /** Whether the server rejects an operation as invalid. */
  isInvalid: (op: Operation) => boolean = () => false;
  /** Responses to pulls wait for it. */
  ready = Promise.resolve();
  /** Changes that the next pull returns. */
  queuedChanges: Change[] = [];
  /** Whether responses contain operations that were never sent. */
  isForeign = false;
  #rev = 0;

  async apply(ops: readonly Operation[]) {
    this.batches.push(ops);
    const failure = this.failing.apply.shift();
    if (failure) return { ok: false, failure } as const;
    if (ops.some(this.isInvalid)) {
      return { ok: false, failure: { kind: 'server', code: codes.badRequest, msg: '' } } as const;
    }
    const results = ops.map(({ op_id }) => ({
      op_id: this.isForeign ? 'other' : op_id,
      outcome: 'applied' as const,
      rev: ++this.#rev,
      code: 0,
      msg: '',
    }));
    return { ok: true, data: { results, rev: this.#rev } } as const;
  }

  async changes(cursor: string | undefined): ReturnType<ChangesCloud['changes']> {
    this.cursors.push(cursor);
    await this.ready;
    const failure = this.failing.changes.shift();
    if (failure) return { ok: false, failure };
    const next = `${this.cursors.length}`;
    return {
      ok: true,
      data: { changes: this.queuedChanges.splice(0), cursor: next, more: false },
    };
  }
}

/** A fake clock. Sleeps of up to {@link maxSleepMs} end immediately, and longer sleeps never end. */
class SteppedClock {
  readonly pauses: number[] = [];
  /** Sleeps longer than this never end. */
  maxSleepMs = 0;
  /** The time at `elapsed` 0, in milliseconds since 1970. */
  start = 1_700_000_000_000;
  #elapsed = 0;

  now = () => this.start + this.#elapsed;

  elapsed = () => this.#elapsed;

  sleep = async (ms: number, signal: AbortSignal) => {
    this.pauses.push(ms);
    if (ms > this.maxSleepMs) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    this.#elapsed += ms;
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
        const failure = removalFailures.shift();
        if (failure) throw failure;
        removed.push(id);
      },
    },
    cloud,
    clock,
    log: (event) => void logged.push(event),
    onCaughtUp: () => {
      pullCount += 1;
    },
    onReceiving: (isReceiving) => void receiving.push(isReceiving),
  });
  running = sync.run(stop.signal);
  return sync;
}

const rename = (name: string) =>
  changes.edit(UID, { type: 'recording.rename', recording: ID, name });
const sentOperations = () => cloud.batches.flat();

beforeEach(async () => {
  database = await openNodeSqlite(':memory:');
  await migrate(database);
  ({ records, changes } = createStores(database));
  cloud = new ScriptedServer();
  clock = new SteppedClock();
  removed = [];
  removalFailures = [];
  logged = [];
  pullCount = 0;
  receiving = [];
  await records.ensure({
    id: ID,
    uid: UID,
    sn: 'SN',
    source: 'recorder',
    deviceFileId: 1,
    createDate: new Date(0).toISOString(),
    seconds: 10,
    scene: 'note',
    audioBytes: 1,
  });
});

afterEach(async () => {
  stop.abort();
  await running;
  await database.close();
});

describe('syncing changes between phone and server', () => {
  it('sends pending operations as soon as the server has the recording, without a wake-up', async () => {
    const sync = start();
    await waitUntil('sync has polled once', () => cloud.cursors.length === 1);
    await rename('Mine');
    await records.update(ID, { server_id: 'known' });
    await waitUntil('the operation is sent', () => sentOperations().length === 1);
    await rename('Mine, too');
    await waitUntil('the next operation is sent', () => sentOperations().length === 2);
    await waitUntil('the outcome is pulled', () => cloud.cursors.length === 3);
    expect(cloud.cursors).toEqual([undefined, '1', '2']);
    expect(sentOperations().map((op) => op.type === 'recording.rename' && op.name)).toEqual([
      'Mine',
      'Mine, too',
    ]);
    expect(sync.reachability.status).toBe('reached');
  });

  it('sends no requests while idle, and polls periodically or when woken', async () => {
    const sync = start();
    // Committing the pulled changes ends the first pause.
    await waitUntil('sync pauses', () => clock.pauses.length === 2);
    expect(clock.pauses).toEqual([CHANGES_POLL_MS, CHANGES_POLL_MS]);
    // This commit leaves no pending operation.
    await records.update(ID, { process: 1 });
    await waitUntil('sync pauses again', () => clock.pauses.length === 3);
    expect(cloud.cursors).toHaveLength(1);
    sync.wake();
    await waitUntil('a poll', () => cloud.cursors.length === 2);
    await waitUntil('sync pauses again after the poll', () => clock.pauses.length === 5);
    // Setting the clock back must not delay the polls.
    clock.start -= 26 * 3_600_000;
    clock.maxSleepMs = CHANGES_POLL_MS;
    await records.update(ID, { process: 2 });
    await waitUntil('sync polls automatically', () => cloud.cursors.length > 3);
    clock.maxSleepMs = 0;
    expect(cloud.batches).toEqual([]);
  });

  it('backs off while requests fail, and resends the same operations', async () => {
    await records.update(ID, { server_id: 'known' });
    await rename('Mine');
    cloud.failing.apply.push(network, { kind: 'timeout' }, { kind: 'http', status: 502 });
    cloud.failing.changes.push(network);
    clock.maxSleepMs = CHANGES_POLL_MS - 1;
    const sync = start();
    await waitUntil('a pull is requested', () => cloud.cursors.length === 2);
    const [firstDelay, secondDelay, thirdDelay, fourthDelay] = BACKOFF_SECONDS.map(
      (seconds) => seconds * 1000,
    );
    expect(clock.pauses.slice(0, 4)).toEqual([firstDelay, secondDelay, thirdDelay, fourthDelay]);
    expect(new Set(sentOperations().map(({ op_id }) => op_id)).size).toBe(1);
    expect(cloud.batches).toHaveLength(4);
    await waitUntil('the server is reached', () => sync.reachability.status === 'reached');
    expect(await changes.pending(UID)).toEqual([]);
  });

  it('retries immediately when woken during a pause', async () => {
    cloud.failing.changes.push(network);
    const sync = start();
    await waitUntil('a request has failed', () => sync.reachability.status === 'waiting');
    sync.wake();
    await waitUntil('the server is reached', () => sync.reachability.status === 'reached');
    expect(cloud.cursors).toEqual([undefined, undefined]);
  });

  it('pulls again if it is woken during a pull, which may lack the latest changes', async () => {
    const { promise: ready, resolve: respond } = Promise.withResolvers<void>();
    cloud.ready = ready;
    const sync = start();
    await waitUntil('a pull has started', () => cloud.cursors.length === 1);
    sync.wake();
    respond();
    await waitUntil('sync has pulled again', () => cloud.cursors.length === 2);
  });

  it('polls immediately on request, returns the result, and ends its backoff if the server responds', async () => {
    cloud.failing.changes.push(network, network);
    const sync = start();
    await waitUntil('a request has failed', () => sync.reachability.status === 'waiting');
    expect(await sync.poll(stop.signal)).toEqual({ ok: false, failure: network });
    expect(pullCount).toBe(0);
    expect(await sync.poll(stop.signal)).toEqual({ ok: true, data: null });
    expect(pullCount).toBeGreaterThan(0);
    await waitUntil('sync resumes', () => sync.reachability.status === 'reached');
    stop.abort();
    const aborted = { ok: false, failure: { kind: 'aborted' } };
    expect(await sync.poll(stop.signal)).toEqual(aborted);
  });

  it('isolates an operation that the server rejects as invalid, and sends the others', async () => {
    await records.update(ID, { server_id: 'known' });
    for (let n = 0; n < 9; n++) {
      await changes.edit(UID, { type: 'recording.tag', recording: ID, tag: `${n}`, on: true });
    }
    cloud.isInvalid = (op) => op.type === 'recording.tag' && op.tag === '4';
    start();
    await waitUntil('the changes are pulled', () => cloud.cursors.length === 1);
    expect(await changes.pending(UID)).toEqual([]);
    expect(logged).toEqual(['changes.refused']);
    const accepted = cloud.batches.filter((ops) => !ops.some(cloud.isInvalid)).flat();
    expect(accepted.map((op) => op.type === 'recording.tag' && op.tag).join('')).toBe('01235678');
  });

  it('splits operations into calls within the server’s limits', async () => {
    await records.update(ID, { server_id: 'known' });
    const label = 'ظ'.repeat(limits.recording.nameMaxLength);
    const largeMindMap = Array.from({ length: 400 }, (_, n) => ({
      id: `${n}`,
      parentid: '',
      topic: label,
    }));
    for (let n = 0; n < 6; n++) {
      const edit = { type: 'recording.mindMap', recording: ID, mind_map: largeMindMap } as const;
      await changes.edit(UID, edit);
    }
    for (let n = 0; n < limits.sync.operations + 1; n++) await rename(`${n}`);
    start();
    await waitUntil(
      'all operations are sent',
      async () => (await changes.pending(UID)).length === 0,
    );
    for (const ops of cloud.batches) {
      expect(ops.length).toBeLessThanOrEqual(limits.sync.operations);
      expect(Buffer.byteLength(JSON.stringify({ ops }))).toBeLessThan(limits.jsonBodyBytes);
    }
    expect(sentOperations()).toHaveLength(limits.sync.operations + 7);
    expect(cloud.batches.length).toBeGreaterThan(3);
  });

  it('pulls all changes again when the server rejects the cursor', async () => {
    start();
    await waitUntil('sync has polled once', () => cloud.cursors.length === 1);
    stop.abort();
    await running;
    cloud.failing.changes.push({ kind: 'server', code: codes.badRequest, msg: '' });
    start();
    await waitUntil('all changes are pulled', async () => (await changes.cursor(UID)) === '3');
    expect(cloud.cursors).toEqual([undefined, '1', undefined]);
  });

  it('ignores results for operations that it never sent', async () => {
    await records.update(ID, { server_id: 'known' });
    await rename('Mine');
    cloud.isForeign = true;
    const sync = start();
    await waitUntil('a request has failed', () => sync.reachability.status === 'waiting');
    expect(sync.reachability).toMatchObject({ failure: { kind: 'malformed' } });
    expect(await changes.pending(UID)).toHaveLength(1);
  });

  it('stores nothing after it is stopped', async () => {
    const requested = Promise.withResolvers<void>();
    const responseDelay = Promise.withResolvers<void>();
    const originalChanges = cloud.changes.bind(cloud);
    cloud.changes = async (cursor) => {
      requested.resolve();
      await responseDelay.promise;
      return originalChanges(cursor);
    };
    start();
    await requested.promise;
    stop.abort();
    responseDelay.resolve();
    await running;
    expect(await changes.cursor(UID)).toBeUndefined();
  });

  it('removes the audio of recordings that were permanently deleted on this or another phone', async () => {
    cloud.failing.changes.push(network);
    await changes.edit(UID, { type: 'recording.delete', recording: ID });
    const deleted_at = new Date(0).toISOString();
    const tombstone = { kind: 'tombstone', rev: 9, id: 'x', deleted_at } as const;
    cloud.queuedChanges = [{ ...tombstone, client_flag: 'elsewhere' }];
    removalFailures = [new AudioStoreError('io_failed')];
    const sync = start();
    await waitUntil('a request has failed', () => sync.reachability.status === 'waiting');
    // The removal failed, but sync continues.
    expect([removed, logged]).toEqual([[], ['changes.audio_left', 'changes.waiting']]);
    sync.wake();
    await waitUntil('both are removed', () => removed.length === 2);
    expect(removed).toEqual([ID, 'elsewhere']);
    expect(await changes.orphanedAudio(UID)).toEqual([]);
    expect(sentOperations().map(({ type }) => type)).toEqual(['recording.delete']);
  });
});

describe('pulling several pages', () => {
  const pageCount = 5;
  /** The requested pages, in order. */
  let requested: number[];
  /** The cursor after each stored page. */
  let stored: string[];
  /** Called before a page is stored. */
  let beforeStoring: (page: string) => Promise<unknown> | undefined;
  /** Called before a page is returned. */
  let beforeReturning: (page: number) => Promise<void> | CallFailure | undefined;

  beforeEach(() => {
    requested = [];
    stored = [];
    beforeStoring = () => undefined;
    beforeReturning = () => undefined;
    cloud.changes = async (cursor) => {
      const page = Number(cursor ?? 0) + 1;
      requested.push(page);
      const failure = await beforeReturning(page);
      if (failure) return { ok: false, failure };
      const setting = { group_name: 'g', config_key: `${page}`, config_value: '' };
      const pageChanges: Change[] =
        page <= pageCount ? [{ kind: 'setting', rev: page, setting }] : [];
      const next = `${Math.min(page, pageCount)}`;
      return { ok: true, data: { changes: pageChanges, cursor: next, more: page < pageCount } };
    };
    const applyPage = changes.applyPage.bind(changes);
    changes = {
      ...changes,
      async applyPage(uid, cursor, page) {
        await beforeStoring(page.cursor);
        await applyPage(uid, cursor, page);
        stored.push((await changes.cursor(uid)) ?? '');
      },
    };
  });

  it('requests each page while the previous one is being stored, and stores them in order', async () => {
    beforeStoring = (page) =>
      waitUntil('the next page is requested', () =>
        requested.includes(Math.min(Number(page) + 1, pageCount)),
      );
    start();
    await waitUntil('all changes are pulled', () => pullCount === 1);
    expect(requested).toEqual([1, 2, 3, 4, 5]);
    expect(stored).toEqual(['1', '2', '3', '4', '5']);
    expect(await changes.cursor(UID)).toBe('5');
    expect(receiving).toEqual([true, false]);
  });

  it('continues after the last stored page when a response is lost', async () => {
    const failures = [network];
    beforeReturning = (page) => (page === 3 ? failures.shift() : undefined);
    const sync = start();
    await waitUntil('a request has failed', () => sync.reachability.status === 'waiting');
    expect([stored, await changes.cursor(UID)]).toEqual([['1', '2'], '2']);
    expect(receiving).toEqual([true, false]);
    sync.wake();
    await waitUntil('all changes are pulled', () => pullCount === 1);
    expect(requested).toEqual([1, 2, 3, 3, 4, 5]);
    expect(stored).toEqual(['1', '2', '3', '4', '5']);
  });

  it('retries a page that didn’t fit before storing later pages', async () => {
    const failures = [new StorageFull('full')];
    beforeStoring = (page) => {
      const failure = page === '2' ? failures.shift() : undefined;
      return failure && Promise.reject(failure);
    };
    const sync = start();
    await waitUntil('sync pauses', () => logged.includes('changes.waiting'));
    expect([stored, await changes.cursor(UID)]).toEqual([['1'], '1']);
    sync.wake();
    await waitUntil('all changes are pulled', () => pullCount === 1);
    expect(stored).toEqual(['1', '2', '3', '4', '5']);
  });

  it('discards pages requested ahead when it is stopped', async () => {
    const returned = Promise.withResolvers<void>();
    beforeReturning = (page) => (page === 3 ? returned.promise : undefined);
    start();
    await waitUntil('two pages are stored', () => stored.length === 2);
    stop.abort();
    returned.resolve();
    await running;
    expect([stored, await changes.cursor(UID)]).toEqual([['1', '2'], '2']);
    expect(receiving).toEqual([true, false]);
  });

  it('doesn’t skip or repeat pages when two pulls overlap', async () => {
    const sync = start();
    await waitUntil('a page is stored', () => stored.length > 0);
    expect(await sync.poll(stop.signal)).toEqual({ ok: true, data: null });
    await waitUntil('both pulls are complete', () => pullCount >= 2);
    expect([...stored].sort()).toEqual(stored);
    expect(await changes.cursor(UID)).toBe('5');
    const settings = await changes.settings(UID);
    expect(settings.map(({ config_key }) => config_key)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('pulls all pages again if the server rejects the cursor of a page requested ahead', async () => {
    const failures: CallFailure[] = [{ kind: 'server', code: codes.badRequest, msg: '' }];
    beforeReturning = (page) => (page === 3 ? failures.shift() : undefined);
    start();
    await waitUntil('all changes are pulled', () => pullCount === 1);
    expect(requested).toEqual([1, 2, 3, 1, 2, 3, 4, 5]);
    expect(stored).toEqual(['1', '2', '1', '2', '3', '4', '5']);
  });
});
