/**
 * Tests an emulated Pocket with the app's adapter: the key, transfers, link and packet losses, and that nothing is
 * imported twice.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { knownPocket } from '@linnet/app/known-pocket';
import { createPocket, type Pocket } from '@linnet/app/pocket';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { waveHeader } from '@linnet/audio/wave';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { EmulatedPocket } from '@linnet/pocket/testing';
import { AudioStoreError, FileImporter } from '@linnet/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeAsPocket } from '../support/audio-kinds.ts';
import { stubLocalStorage } from '../support/bind-recorder.ts';
import { openFileAudioProcessor } from '../support/file-audio-processor.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { foreignContract } from '../support/foreign-contract.ts';
import { type ForeignRadio, foreignRadios, memoryRadio } from '../support/foreign-radios.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';
const KEY = 'AbCdEfGh12345678';
const FOUND_POCKET = {
  kind: 'web-bluetooth',
  deviceId: 'emulated',
  name: 'PKT01_GREY_0A1B2C3D',
} as const;
/** The emulated recorder responds immediately, so a short silence means a loss. */
const timing = { silence: 20, quietPeriod: 1 };
const opus = await loadOpus(readOpusWasm());

/** Returns an MP3 file containing a tone. */
function createTone(seconds: number, seed: number): Uint8Array<ArrayBuffer> {
  const samples = Int16Array.from({ length: SAMPLE_RATE * seconds }, (_, index) =>
    Math.round(9000 * Math.sin((index * (seed + 2)) / 40)),
  );
  const head = waveHeader(samples.length, SAMPLE_RATE);
  return encodeAsPocket(Buffer.concat([head, new Uint8Array(samples.buffer)]));
}
const tones = [0, 1, 2].map((seed) => createTone(1 + seed, seed));
const tone = (index: number) => tones[index] as Uint8Array<ArrayBuffer>;
const STAMPS = ['20260326014509', '20260328001919', '20260328191640'] as const;

let folder: string;
let cleanups: (() => Promise<unknown>)[];
let errors: unknown[];
let lines: string[];
beforeEach(async () => {
  stubLocalStorage();
  folder = await mkdtemp(join(tmpdir(), 'linnet-pocket-'));
  cleanups = [];
  errors = [];
  lines = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
  expect(errors).toEqual([]);
  expect(lines.join('\n')).not.toContain(KEY);
});

/** Opens a phone. */
async function openPhone(name = 'phone') {
  const database = await openNodeSqlite(join(folder, `${name}.sqlite3`));
  await migrate(database);
  cleanups.push(() => database.close());
  const { records, changes } = createStores(database);
  const onError = (error: unknown) => void errors.push(error);
  let now = Date.UTC(2026, 2, 29, 9, 30);
  let polls: (() => void)[] = [];
  function waitForPoll(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    polls.push(resolve);
    signal?.addEventListener('abort', () => {
      polls = polls.filter((each) => each !== resolve);
      reject(signal.reason);
    });
    return promise;
  }
  const disk = { isFull: false };
  const audioProcessor = openFileAudioProcessor(folder, opus);
  const importer = new FileImporter({
    records,
    audio: openFileAudioStore(folder, opus),
    audioProcessor: {
      ...audioProcessor,
      async convert(...request) {
        if (disk.isFull) throw new AudioStoreError('storage_full');
        return audioProcessor.convert(...request);
      },
    },
    isDecodable: () => true,
    findDate: async () => null,
    onError,
  });

  /** Starts the app, as after a restart. */
  async function start(
    recorder: EmulatedPocket,
    radio: ForeignRadio = memoryRadio,
  ): Promise<Pocket> {
    const pocket = createPocket({
      finders: new Map([[radio.kind, radio.createFinder(recorder)]]),
      importer,
      timing,
      clock: {
        now: () => now,
        elapsed: () => (now += 1000),
        async sleep(ms, signal) {
          // Wait for the test before searching for new recordings.
          if (ms >= 60_000) await waitForPoll(signal);
          else await delay(1, undefined, { signal });
        },
      },
      onStored: () => {},
      log: (event, facts) => void lines.push(`${event} ${JSON.stringify(facts)}`),
      onError,
    });
    cleanups.push(() => pocket.stop());
    pocket.start(UID);
    return pocket;
  }
  return {
    start,
    changes,
    disk,
    /** Searches for new recordings. */
    async poll() {
      await waitUntil('a search has ended', () => polls.length > 0);
      const duePolls = polls;
      polls = [];
      for (const resolve of duePolls) resolve();
    },
    /** Resolves once a search has ended, whether or not it found anything. */
    searched: () => waitUntil('a search has ended', () => polls.length > 0),
    /** Returns the imported files, oldest first. */
    async imported() {
      const summaries = await records.summaries(UID);
      const files = await Promise.all(
        summaries.map(async ({ id, title }) => ({
          id,
          title,
          bytes: await readFile(join(folder, `${id}.original`)),
        })),
      );
      return files.toSorted((a, b) => a.title.localeCompare(b.title));
    },
  };
}

async function connect(
  pocket: Pocket,
  key = KEY,
  found: Parameters<Pocket['add']>[0] = FOUND_POCKET,
): Promise<void> {
  expect(await pocket.add(found)).toEqual({ ok: true, data: 'pocket' });
  expect(pocket.service.state.get()).toMatchObject({ status: 'key_needed', refusal: null });
  expect(await pocket.service.enterKey(key)).toEqual({ ok: true, data: null });
}

function createRecorder(count = 3, options = {}): EmulatedPocket {
  const recorder = new EmulatedPocket({ sessionKey: KEY, ...options });
  for (let index = 0; index < count; index += 1) {
    recorder.addRecording(STAMPS[index] as string, tone(index));
  }
  return recorder;
}

const isImported = (phone: Awaited<ReturnType<typeof openPhone>>, count: number) =>
  waitUntil('the recordings are imported', async () => (await phone.imported()).length === count);

describe.each(foreignRadios)('$name', (radio) =>
  foreignContract({
    test: it,
    async open() {
      const phone = await openPhone();
      const recorder = createRecorder(1);
      const start = () => phone.start(recorder, radio);
      const pocket = await start();
      return {
        recorder,
        service: pocket.service,
        add: () => connect(pocket, KEY, radio.found(recorder)),
        async restart() {
          await pocket.stop();
          return (await start()).service;
        },
      };
    },
  }),
);

it('asks for the key, then imports the files unchanged, newest first', async () => {
  const phone = await openPhone();
  const recorder = createRecorder();
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await isImported(phone, 3);
  const files = await phone.imported();
  expect(files.map(({ title }) => title)).toEqual([
    'Pocket 2026-03-26 01-45-09',
    'Pocket 2026-03-28 00-19-19',
    'Pocket 2026-03-28 19-16-40',
  ]);
  for (const [index, { bytes }] of files.entries()) {
    expect(bytes.equals(Buffer.from(tone(index)))).toBe(true);
  }
  expect(recorder.requested).toEqual([...STAMPS].reverse());
  expect(recorder.clock).toMatch(/^20260329/);
  expect(pocket.service.state.get()).toMatchObject({
    status: 'connected',
    firmware: '1.3.3',
    facts: { battery: 58, isIdle: true, space: { used: 60_846, total: 61_032 } },
  });
});

it('asks for the key again if the recorder refuses it', async () => {
  const phone = await openPhone();
  const pocket = await phone.start(createRecorder());
  await connect(pocket, 'wrong-key-123456');
  expect(pocket.service.state.get()).toMatchObject({
    status: 'key_needed',
    refusal: 'key_refused',
  });
  await pocket.service.enterKey(KEY);
  expect(pocket.service.state.get()).toMatchObject({ status: 'connected' });
});

it('treats silence after a new key as a refusal, but not after a known key', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(0, { onWrongKey: 'ignore' });
  const pocket = await phone.start(recorder);
  await connect(pocket, 'wrong-key-123456');
  expect(pocket.service.state.get()).toMatchObject({
    status: 'key_needed',
    refusal: 'key_refused',
  });
  await pocket.service.enterKey(KEY);
  await phone.searched();
  let lostCount = 0;
  recorder.dropsResponse = () => {
    lostCount += 1;
    return true;
  };
  recorder.cut();
  await waitUntil('a connection has failed', () => lostCount > 3);
  recorder.dropsResponse = () => false;
  await waitUntil(
    'the recorder is connected',
    () => pocket.service.state.get().status === 'connected',
  );
});

it('stops after the recorder hangs up on a key three times, even across restarts', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(0, { onWrongKey: 'hang_up' });
  const before = await phone.start(recorder);
  const stopped = Promise.withResolvers<void>();
  let attempts = 0;
  recorder.onKey = () => {
    attempts += 1;
    if (attempts === 2) stopped.resolve(before.stop());
  };
  expect(await before.add(FOUND_POCKET)).toEqual({ ok: true, data: 'pocket' });
  const outcome = await before.service.enterKey('wrong-key-123456');
  expect(outcome).toEqual({ ok: false, failure: { kind: 'device', code: 'link_lost' } });
  await stopped.promise;
  await waitUntil('the recorder has hung up twice', () => knownPocket.get(UID)?.hangUps === 2);
  const after = await phone.start(recorder);
  const refused = { status: 'key_needed', refusal: 'key_hang_up', name: FOUND_POCKET.name };
  await waitUntil('no more attempts are made', () => {
    return after.service.state.get().status === 'key_needed';
  });
  expect(after.service.state.get()).toEqual(refused);
  expect(attempts).toBe(3);
  await after.stop();
  const restarted = await phone.start(recorder);
  expect(restarted.service.state.get()).toEqual(refused);
  await restarted.service.enterKey(KEY);
  expect(restarted.service.state.get()).toMatchObject({ status: 'connected' });
  expect(attempts).toBe(4);
});

it('keeps a previously accepted key after three hang-ups, and retries it on request', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(0, { onWrongKey: 'hang_up' });
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await phone.searched();
  let attempts = 0;
  recorder.refusesKey = () => true;
  recorder.onKey = () => {
    attempts += 1;
  };
  recorder.cut();
  await waitUntil('no more attempts are made', () => {
    return pocket.service.state.get().status === 'key_rejected';
  });
  expect(attempts).toBe(3);
  await pocket.service.reconnect();
  await waitUntil('further attempts are made', () => attempts === 6);
  await waitUntil('no more attempts are made', () => {
    return pocket.service.state.get().status === 'key_rejected';
  });
  recorder.refusesKey = () => false;
  await pocket.service.reconnect();
  expect(pocket.service.state.get()).toMatchObject({ status: 'connected' });
});

it('does not count hang-ups before a successful connection', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(0, { onWrongKey: 'hang_up' });
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await phone.searched();
  for (let round = 0; round < 2; round += 1) {
    let refusals = 0;
    recorder.refusesKey = () => {
      refusals += 1;
      return refusals <= 2;
    };
    recorder.cut();
    await waitUntil('a third attempt is made', () => refusals > 2);
    await waitUntil(
      'the recorder is connected',
      () => pocket.service.state.get().status === 'connected',
    );
  }
});

it('keeps a previously accepted key if the recorder refuses it temporarily', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(0);
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await phone.searched();
  let refusals = 0;
  recorder.refusesKey = () => {
    refusals += 1;
    return refusals <= 2;
  };
  recorder.cut();
  await waitUntil('a third attempt is made', () => refusals > 2);
  await waitUntil(
    'the recorder is connected',
    () => pocket.service.state.get().status === 'connected',
  );
});

it('refuses to add recorders other than a Pocket', async () => {
  const phone = await openPhone();
  const recorder = Object.assign(createRecorder(), { services: [] });
  const pocket = await phone.start(recorder);
  expect(await pocket.add(FOUND_POCKET)).toEqual({
    ok: false,
    failure: { kind: 'device', code: 'not_a_recorder' },
  });
  expect(pocket.service.state.get()).toEqual({ status: 'none' });
});

it.each([
  ['after a restart', () => {}],
  ['if its memory of them is lost', () => localStorage.removeItem('POCKET_FILES')],
])('imports nothing twice, %s', async (_title, forget) => {
  const phone = await openPhone();
  const recorder = createRecorder();
  const before = await phone.start(recorder);
  await connect(before);
  await isImported(phone, 3);
  const [deleted] = await phone.imported();
  await phone.changes.edit(UID, { type: 'recording.delete', recording: deleted?.id ?? '' });
  await phone.searched();
  await before.stop();
  forget();
  recorder.addRecording('20260329080000', createTone(1, 7));
  await phone.start(recorder);
  await waitUntil('the new recording is imported', async () =>
    (await phone.imported()).some(({ title }) => title === 'Pocket 2026-03-29 08-00-00'),
  );
  await phone.poll();
  await phone.searched();
  // Two of the three, and the new one.
  expect(await phone.imported()).toHaveLength(3);
});

it('does not read imported recordings again', async () => {
  const phone = await openPhone();
  const recorder = createRecorder();
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await isImported(phone, 3);
  await phone.poll();
  await phone.searched();
  await pocket.service.disconnect();
  await pocket.service.reconnect();
  await phone.searched();
  expect(recorder.requested).toHaveLength(3);
});

it('transfers the listed recordings if one date’s list cannot be read, and still remembers that date', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(2);
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await isImported(phone, 2);
  await phone.searched();
  recorder.addRecording('20260328-broken', tone(1));
  recorder.addRecording('20260329080000', tone(2));
  await phone.poll();
  await isImported(phone, 3);
  await phone.searched();
  expect(pocket.service.state.get()).toMatchObject({ isListMissing: true });
  recorder.removeRecording('20260328-broken');
  await phone.poll();
  await phone.searched();
  expect(pocket.service.state.get()).toMatchObject({ isListMissing: false });
  expect(recorder.requested).toEqual([STAMPS[1], STAMPS[0], '20260329080000']);
});

it('reads a file from the start after the link breaks', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(1);
  const pocket = await phone.start(recorder);
  let pieces = 0;
  recorder.beforeAudio = () => {
    pieces += 1;
    if (pieces === 5) recorder.cut();
    if (pieces === 12) recorder.reboot();
  };
  await connect(pocket);
  await isImported(phone, 1);
  expect(recorder.requested).toEqual([STAMPS[0], STAMPS[0], STAMPS[0]]);
  const [file] = await phone.imported();
  expect(file?.bytes.equals(Buffer.from(tone(0)))).toBe(true);
  expect(recorder.clock).not.toBeNull();
});

it('does not read a file again if the link breaks after its last byte', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(2);
  const pocket = await phone.start(recorder);
  let cuts = 0;
  recorder.dropsResponse = () => {
    const isAfterFile = recorder.requested.length === 1 && cuts === 0;
    if (isAfterFile && recorder.received.at(-1)?.startsWith('APP&LIST&')) {
      cuts += 1;
      recorder.cut();
    }
    return false;
  };
  await connect(pocket);
  await isImported(phone, 2);
  expect(cuts).toBe(1);
  expect(recorder.requested).toEqual([STAMPS[1], STAMPS[0]]);
  for (const [index, { bytes }] of (await phone.imported()).entries()) {
    expect(bytes.equals(Buffer.from(tone(index)))).toBe(true);
  }
});

it('imports a received file once the disk has space, without reading it again', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(1);
  phone.disk.isFull = true;
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await phone.searched();
  // A newer file must not displace it.
  recorder.addRecording(STAMPS[1], tone(1));
  await phone.poll();
  await phone.searched();
  expect(recorder.requested).toEqual([STAMPS[0]]);
  expect(await phone.imported()).toEqual([]);
  phone.disk.isFull = false;
  await phone.poll();
  await isImported(phone, 2);
  expect(recorder.requested).toEqual([STAMPS[0], STAMPS[1]]);
  for (const [index, { bytes }] of (await phone.imported()).entries()) {
    expect(bytes.equals(Buffer.from(tone(index)))).toBe(true);
  }
});

it('reports a file that is damaged every time, and transfers the others', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(2);
  recorder.addRecording('20260328230000', new Uint8Array(4000));
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await isImported(phone, 2);
  expect(pocket.service.state.get()).toMatchObject({
    failed: [{ time: '20260328230000', code: 'file_damaged' }],
  });
  await phone.poll();
  await phone.searched();
  expect(recorder.requested.filter((stamp) => stamp === '20260328230000')).toHaveLength(3);
});

it('reports a file that never arrives completely', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(1);
  let count = 0;
  recorder.dropsNotification = () => count++ % 10 === 0;
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await waitUntil('the failure is reported', () => {
    const state = pocket.service.state.get();
    return state.status === 'connected' && state.failed[0]?.code === 'file_incomplete';
  });
  expect(await phone.imported()).toEqual([]);
});

it('skips a recording in progress until it is complete', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(1);
  recorder.state = 1;
  recorder.addRecording(STAMPS[1], tone(1).subarray(0, 144 * 50));
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await isImported(phone, 1);
  await phone.searched();
  expect(recorder.requested).toEqual([STAMPS[0]]);
  recorder.addRecording(STAMPS[1], tone(1));
  await phone.poll();
  await phone.searched();
  expect(recorder.requested).toEqual([STAMPS[0]]);
  recorder.state = 0;
  await phone.poll();
  await isImported(phone, 2);
  expect((await phone.imported())[1]?.bytes.equals(Buffer.from(tone(1)))).toBe(true);
});

it('does not store a recording that grew while it was being read', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(0);
  recorder.addRecording(STAMPS[1], tone(1).subarray(0, 144 * 50));
  recorder.beforeAudio = () => recorder.addRecording(STAMPS[1], tone(1));
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await phone.searched();
  expect(await phone.imported()).toEqual([]);
  await phone.poll();
  await isImported(phone, 1);
  expect((await phone.imported())[0]?.bytes.equals(Buffer.from(tone(1)))).toBe(true);
});

it('skips a recording on request, and continues with the others', async () => {
  const phone = await openPhone();
  const pace = () => delay(1);
  const recorder = createRecorder(2, { pace });
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await waitUntil('the first bytes are received', () => {
    const state = pocket.service.state.get();
    return state.status === 'connected' && (state.transfer?.bytes ?? 0) > 0;
  });
  pocket.service.skip();
  await isImported(phone, 1);
  expect((await phone.imported())[0]?.title).toBe('Pocket 2026-03-26 01-45-09');
  expect(recorder.requested).toEqual([STAMPS[1], STAMPS[0]]);
});

it('stops when the account signs out, and stores nothing of an incomplete file', async () => {
  const phone = await openPhone();
  const recorder = createRecorder(1, { pace: () => delay(1) });
  const pocket = await phone.start(recorder);
  await connect(pocket);
  await waitUntil('a file is requested', () => recorder.requested.length === 1);
  await pocket.stop();
  expect(recorder.isConnected).toBe(false);
  expect(await phone.imported()).toEqual([]);
});

it('stores only complete files despite random losses, and eventually all of them', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(fc.integer({ min: 0, max: 99 })),
      fc.constantFrom(144, 182, 244),
      async (chances, notificationBytes) => {
        stubLocalStorage();
        const phone = await openPhone(`phone-${run++}`);
        const recorder = createRecorder(3, { notificationBytes });
        /** Returns a function that randomly injects a fault, up to a maximum number of faults. */
        const createFaults = (most: number) => {
          let remaining = most;
          return (percent: number) => {
            const isFault = remaining > 0 && (chances.next().value ?? 0) < percent;
            if (isFault) remaining -= 1;
            return isFault;
          };
        };
        // Three losses in one file would be reported, so limit them to two.
        const dropsNotification = createFaults(2);
        const cuts = createFaults(5);
        recorder.dropsNotification = () => dropsNotification(4);
        recorder.dropsResponse = () => dropsNotification(2);
        recorder.beforeAudio = () => {
          if (cuts(3)) recorder.cut();
          else if (cuts(2)) recorder.reboot();
        };
        const pocket = await phone.start(recorder);
        await pocket.add(FOUND_POCKET);
        await waitUntil('the recordings are imported', async () => {
          const { status } = pocket.service.state.get();
          if (status === 'key_needed') await pocket.service.enterKey(KEY);
          return (await phone.imported()).length === 3;
        });
        for (const [index, { bytes }] of (await phone.imported()).entries()) {
          expect(bytes.equals(Buffer.from(tone(index)))).toBe(true);
        }
        await pocket.stop();
      },
    ),
    { numRuns: 8 },
  );
});
