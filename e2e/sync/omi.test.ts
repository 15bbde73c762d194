/**
 * Tests an emulated Omi with the app's adapter: the recorder contract, link losses, packet losses, and stored
 * recordings.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createOmi, type Omi, type OmiOptions } from '@linnet/app/omi';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { PacketMeter } from '@linnet/audio/peaks';
import { openEmulatedLink } from '@linnet/device/testing';
import { TransportError } from '@linnet/device/transport';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { createPackers } from '@linnet/omi/packer';
import { EmulatedOmi } from '@linnet/omi/testing';
import { recorderContract } from '@linnet/recorders/testing';
import { ProgressBoard, readStoragePolicy, systemClock } from '@linnet/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../support/bind-recorder.ts';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { foreignContract } from '../support/foreign-contract.ts';
import { type ForeignRadio, foreignRadios, memoryRadio } from '../support/foreign-radios.ts';
import { noLiveText } from '../support/no-live-text.ts';
import { waitUntil } from '../support/wait-until.ts';

type Gap = Parameters<OmiOptions['gaps']['add']>[1];

const UID = 'owner';
const opus = await loadOpus(readOpusWasm());
const tone = Int16Array.from(
  { length: 16_000 * 4 },
  (_, index) => 9000 * Math.sin(index / 9 + index / 999),
);
const packets = demuxOgg(await encodeAsRecorder(tone)).packets.map((each) => Uint8Array.from(each));
const getPacket = (index: number) => packets[index % packets.length] as Uint8Array;

let folder: string;
let cleanups: (() => Promise<unknown>)[];
let errors: unknown[];
beforeEach(async () => {
  stubLocalStorage();
  folder = await mkdtemp(join(tmpdir(), 'linnet-omi-'));
  cleanups = [];
  errors = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
  expect(errors).toEqual([]);
});

/** Opens a phone with a clock set by the test. */
async function openPhone(name = 'phone') {
  const database = await openNodeSqlite(join(folder, `${name}.sqlite3`));
  await migrate(database);
  cleanups.push(() => database.close());
  const { records, changes } = createStores(database);
  const phone = {
    now: Date.UTC(2026, 2, 2, 9, 30),
    records,
    changes,
    progress: new ProgressBoard(),
    /** The settings, and whether the platform granted persistent storage. */
    storage: async () => readStoragePolicy([]),
    persists: true,
    isAwake: false,
    /** Whether the app crashes while converting audio. */
    crashes: false,
    gaps: new Map<string, Gap[]>(),
    marks: [] as { readonly id: string; readonly time: number }[],
    start,
    /** True if this many recordings exist with verified audio. */
    async isStored(count: number) {
      const summaries = await records.summaries(UID);
      const isVerified = summaries.every(({ copies }) => copies.phone.status === 'verified');
      return summaries.length === count && isVerified;
    },
    /** Returns the packets of all recordings, newest first. */
    async masters() {
      const summaries = await records.summaries(UID);
      return Promise.all(
        summaries.map(async (summary) => ({
          ...summary,
          packets: demuxOgg(await readFile(join(folder, `${summary.id}.ogg`))).packets,
        })),
      );
    },
  };

  async function start(recorder: EmulatedOmi, radio: ForeignRadio = memoryRadio): Promise<Omi> {
    const packers = createPackers(opus);
    const omi = createOmi({
      finders: new Map([[radio.kind, radio.createFinder(recorder)]]),
      records,
      audio: openFileAudioStore(folder, opus),
      progress: phone.progress,
      live: noLiveText,
      async pack(...audio) {
        if (phone.crashes) throw new TransportError('link_lost');
        return packers.pack(...audio);
      },
      levels: async (_id, bytes) => new PacketMeter(opus).push(bytes),
      mark: async (id, { time }) => void phone.marks.push({ id, time }),
      gaps: {
        add: (id, gap) => void phone.gaps.set(id, [...(phone.gaps.get(id) ?? []), gap]),
        flush: () => {},
      },
      clock: {
        ...systemClock,
        now: () => phone.now,
        sleep: (_, signal) => delay(1, undefined, { signal }),
      },
      keepAwake() {
        phone.isAwake = true;
        return () => {
          phone.isAwake = false;
        };
      },
      storage: () => phone.storage(),
      isStoragePersistent: () => phone.persists,
      onStored: () => {},
      log: () => {},
      onError: (error) => void errors.push(error),
    });
    cleanups.push(() => omi.stop());
    await omi.start(UID);
    return omi;
  }
  return phone;
}

/** The button's events. */
const [TAP, DOUBLE_TAP, LONG_PRESS, PRESSED, RELEASED] = [1, 2, 3, 4, 5] as const;
const FOUND_OMI = { kind: 'web-bluetooth', deviceId: 'emulated', name: 'Omi' } as const;

/** Presses the button until the app adds a marker. The app may still be subscribing to the button. */
async function waitUntilMarked(
  { marks }: { readonly marks: readonly unknown[] },
  recorder: EmulatedOmi,
  event: number,
): Promise<void> {
  const count = marks.length;
  await waitUntil('a marker is added', () => {
    recorder.press(event);
    return marks.length > count;
  });
}

async function connect(omi: Omi, found: Parameters<Omi['add']>[0] = FOUND_OMI): Promise<void> {
  expect(await omi.add(found)).toEqual({ ok: true, data: 'omi' });
}

/** Returns a function that returns the number of transfers completed since this call. */
function countTransfers(omi: Omi): () => number {
  let count = 0;
  let isTransferring = false;
  omi.service.state.subscribe(() => {
    const now = omi.service.state.get();
    const isNow = now.status === 'connected' && now.transfer !== null;
    if (isTransferring && !isNow) count += 1;
    isTransferring = isNow;
  });
  return () => count;
}

function capture(recorder: EmulatedOmi, from: number, end: number): void {
  for (let index = from; index < end; index += 1) recorder.capture(getPacket(index));
}

/** Returns the captured packets from `from` to `end`. */
function getPackets(from: number, end: number): Buffer[] {
  return Array.from({ length: end - from }, (_, index) => Buffer.from(getPacket(from + index)));
}

/** Returns the packets of each recording, longest first. */
function byLength(masters: readonly { readonly packets: readonly Uint8Array[] }[]): Buffer[][] {
  return masters
    .map(({ packets: each }) => each.map((packet) => Buffer.from(packet)))
    .toSorted((one, other) => other.length - one.length);
}

const forgetStored = () => localStorage.removeItem('OMI_STORED');

const createPolicy = (local: string) =>
  readStoragePolicy([
    { group_name: 'radio_save_style', config_key: 'local', config_value: local, since: null },
  ]);

describe.each(foreignRadios)('$name', (radio) =>
  foreignContract({
    test: it,
    async open() {
      const phone = await openPhone();
      const recorder = new EmulatedOmi();
      const start = () => phone.start(recorder, radio);
      const omi = await start();
      return {
        recorder,
        service: omi.service,
        add: () => connect(omi, radio.found(recorder)),
        async restart() {
          await omi.stop();
          return (await start()).service;
        },
      };
    },
  }),
);

recorderContract({
  test: it,
  async open() {
    const recorder = new EmulatedOmi({ model: 'devkit1', codec: 21 });
    const phone = await openPhone();
    const omi = await phone.start(recorder);
    await connect(omi);
    const playing = new AbortController();
    const play = async () => {
      for (let index = 0; !playing.signal.aborted; index += 1) {
        recorder.capture(getPacket(index));
        phone.now += PACKET_MS;
        await delay(2);
      }
    };
    const played = play();
    cleanups.push(async () => {
      playing.abort();
      await played;
    });
    return omi.recorder;
  },
});

it('records exactly what arrives, with silence for all lost audio, and transfers what the recorder stored while disconnected', async () => {
  let run = 0;
  let losses = 0;
  const connection = fc.record({
    arrivals: fc.array(fc.boolean(), { minLength: 20, maxLength: 80 }),
    away: fc.integer({ min: 0, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(connection, { minLength: 2, maxLength: 4 }), async (connections) => {
      run += 1;
      localStorage.removeItem('OMI_DEVICES');
      const phone = await openPhone(`phone ${run}`);
      const recorder = new EmulatedOmi({ firstNumber: 65_500 });
      const omi = await phone.start(recorder);
      await connect(omi);
      expect(await omi.recorder.start({ mode: 'normal', scene: 'meeting' })).toMatchObject({
        ok: true,
      });
      let index = 0;
      const capture = () => {
        recorder.capture(getPacket(index));
        index += 1;
        phone.now += PACKET_MS;
      };
      const expected: (Uint8Array | null)[] = [];
      const keptPackets: Uint8Array[] = [];
      for (const { arrivals, away } of connections) {
        await waitUntil('the recorder sends audio', () => recorder.isStreaming);
        // The first packet of a connection shows where the audio continues, and the last one where it ends.
        for (const arrives of [true, ...arrivals, true]) {
          recorder.dropsNotification = () => !arrives;
          expected.push(arrives ? getPacket(index) : null);
          if (!arrives) losses += 1;
          capture();
        }
        recorder.cut();
        for (let count = 0; count < away; count += 1) {
          keptPackets.push(getPacket(index));
          expected.push(null);
          capture();
        }
      }
      while (expected.at(-1) === null) expected.pop();
      await waitUntil('the recorder sends audio', () => recorder.isStreaming);
      expect(await omi.recorder.stop()).toEqual({ ok: true, data: null });
      await waitUntil('the kept audio', () => phone.isStored(keptPackets.length > 0 ? 2 : 1));

      const masters = await phone.masters();
      const live = masters.find(({ scene }) => scene === 'meeting');
      const stored = masters.find(({ scene }) => scene === 'note');
      const isSilent = (packet: Uint8Array) =>
        packet[3] === 0xff && packet[4] === 0xfe && packet.subarray(5).every((byte) => byte === 0);
      expect(
        live?.packets.map((packet) => (isSilent(packet) ? null : Buffer.from(packet))),
      ).toEqual(expected.map((packet) => packet && Buffer.from(packet)));
      expect(stored?.packets.map((each) => Buffer.from(each)) ?? []).toEqual(
        keptPackets.map((each) => Buffer.from(each)),
      );
      const lostMs = (phone.gaps.get(live?.id ?? '') ?? []).reduce(
        (sum, gap) => sum + gap.length,
        0,
      );
      expect(lostMs).toBe(expected.filter((packet) => packet === null).length * PACKET_MS);
      expect(live?.audioBytes).toBe(expected.length * PACKET_BYTES);
      await omi.stop();
    }),
    { numRuns: 40 },
  );
  expect(losses).toBeGreaterThan(1000);
});

it('is interrupted after a crash, and keeps all audio up to the crash', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi({ model: 'devkit1', codec: 21 });
  const before = await phone.start(recorder);
  await connect(before);
  await before.recorder.start({ mode: 'normal', scene: 'note' });
  for (let index = 0; index < 100; index += 1) recorder.capture(getPacket(index));
  await waitUntil('the audio is on disk', () => before.recorder.audioLevels.get().levelCount >= 18);
  localStorage.removeItem('OMI_DEVICES');
  recorder.cut();
  const after = await phone.start(recorder);
  expect(after.recorder.activity.get().state).toBe('interrupted');
  expect(await after.recorder.stop()).toEqual({ ok: true, data: null });
  const [master] = await phone.masters();
  expect(master?.packets.length).toBeGreaterThanOrEqual(90);
});

it('discards audio while the recording is paused, so that the recorder does not store it', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  const omi = await phone.start(recorder);
  await connect(omi);
  await omi.recorder.start({ mode: 'normal', scene: 'note' });
  await waitUntil('the recorder sends audio', () => recorder.isStreaming);
  capture(recorder, 0, 50);
  expect(await omi.recorder.pause()).toMatchObject({ ok: true });
  capture(recorder, 50, 100);
  recorder.dropsNotification = () => true;
  capture(recorder, 100, 110);
  recorder.dropsNotification = () => false;
  expect(await omi.recorder.resume()).toMatchObject({ ok: true });
  capture(recorder, 110, 150);
  expect(await omi.recorder.stop()).toEqual({ ok: true, data: null });
  recorder.cut();
  await waitUntil('the recorder is connected', () => recorder.isConnected);
  expect(recorder.storedBlocks).toBe(0);
  const [master] = await phone.masters();
  expect(byLength(master ? [master] : [])).toEqual([
    [...getPackets(0, 50), ...getPackets(110, 150)],
  ]);
});

it('is interrupted by a long connection loss, after which the recorder stores the audio', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  const omi = await phone.start(recorder);
  await connect(omi);
  await omi.recorder.start({ mode: 'normal', scene: 'meeting' });
  await waitUntil('the recorder sends audio', () => recorder.isStreaming);
  for (let index = 0; index < 55; index += 1) recorder.capture(getPacket(index));
  phone.now += 16 * 60_000;
  recorder.cut();
  await waitUntil(
    'the recording is interrupted',
    () => omi.recorder.activity.get().state === 'interrupted',
  );
  for (let index = 55; index < 100; index += 1) recorder.capture(getPacket(index));
  // The recorder closes a block when a phone connects.
  recorder.cut();
  await waitUntil('the recorder is connected', () => recorder.isConnected);
  expect(await omi.recorder.stop()).toEqual({ ok: true, data: null });
  await waitUntil('the kept audio', () => phone.isStored(2));
  const masters = await phone.masters();
  const lengths = masters.map(({ scene, packets }) => [scene, packets.length]);
  expect(Object.fromEntries(lengths)).toEqual({ meeting: 55, note: 45 });
});

it('counts losses while the clock is set back', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  const omi = await phone.start(recorder);
  await connect(omi);
  await omi.recorder.start({ mode: 'normal', scene: 'note' });
  await waitUntil('the recorder sends audio', () => recorder.isStreaming);
  for (let index = 0; index < 20; index += 1) {
    if (index === 10) phone.now -= 3_600_000;
    recorder.dropsNotification = () => index === 10;
    recorder.capture(getPacket(index));
  }
  expect(await omi.recorder.stop()).toEqual({ ok: true, data: null });
  const [master] = await phone.masters();
  expect(master?.packets.length).toBe(20);
});

it('reports an unknown codec as unsupported, even when the Omi is chosen again', async () => {
  const phone = await openPhone();
  const links = [
    () => openEmulatedLink(new EmulatedOmi()),
    () => {
      throw new TransportError('chooser_needed');
    },
    () => openEmulatedLink(new EmulatedOmi({ codec: 99 })),
  ];
  const omi = await phone.start(new EmulatedOmi(), {
    ...memoryRadio,
    createFinder: (recorder) => ({
      ...memoryRadio.createFinder(recorder),
      async openGatt() {
        const openLink = links.shift();
        if (!openLink) throw new TransportError('not_found');
        return openLink();
      },
    }),
  });
  await connect(omi);
  await omi.service.disconnect();
  expect(await omi.service.reconnect()).toMatchObject({
    ok: false,
    failure: { kind: 'device', code: 'unsupported' },
  });
});

it('adds a marker when the button is tapped during a recording, even after a reconnection', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  const omi = await phone.start(recorder);
  await connect(omi);
  recorder.press(TAP);
  await omi.recorder.start({ mode: 'normal', scene: 'meeting' });
  await waitUntil('the recorder sends audio', () => recorder.isStreaming);
  phone.now += 1500;
  await waitUntilMarked(phone, recorder, TAP);
  // On some models, a long press turns the recorder off.
  for (const event of [PRESSED, RELEASED, LONG_PRESS]) recorder.press(event);
  expect(phone.marks).toHaveLength(1);
  recorder.cut();
  await waitUntil('the recorder sends audio', () => recorder.isStreaming);
  phone.now += 1000;
  await waitUntilMarked(phone, recorder, DOUBLE_TAP);
  await omi.recorder.pause();
  phone.now += 5000;
  recorder.press(TAP);
  await omi.recorder.stop();
  recorder.press(TAP);
  expect(phone.marks.map(({ time }) => time)).toEqual([1.5, 2.5, 2.5]);
  expect(new Set(phone.marks.map(({ id }) => id)).size).toBe(1);
});

it('adds at most 200 markers to a recording', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  const omi = await phone.start(recorder);
  await connect(omi);
  await omi.recorder.start({ mode: 'normal', scene: 'meeting' });
  await waitUntilMarked(phone, recorder, TAP);
  for (let count = 0; count < 300; count += 1) recorder.press(TAP);
  expect(phone.marks).toHaveLength(200);
  await omi.recorder.stop();
});

it('keeps the phone awake while it records', async () => {
  const phone = await openPhone();
  const omi = await phone.start(new EmulatedOmi());
  await connect(omi);
  expect(phone.isAwake).toBe(false);
  await omi.recorder.start({ mode: 'normal', scene: 'note' });
  expect(phone.isAwake).toBe(true);
  await omi.recorder.stop();
  expect(phone.isAwake).toBe(false);
});

it('is shown as a recorder’s audio, not the microphone’s', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  const omi = await phone.start(recorder);
  await connect(omi);
  await omi.recorder.start({ mode: 'normal', scene: 'note' });
  expect([...phone.progress.get().values()]).toEqual([{ step: 'record', source: 'recorder' }]);
});

it.each([
  ['what it has stored', () => {}],
  ['stored recordings, if a crash came before it remembered them', forgetStored],
])('recognizes %s, and stores what was recorded since', async (_title, change) => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  recorder.clock = phone.now / 1000;
  capture(recorder, 0, 300);
  const omi = await phone.start(recorder);
  const transfers = countTransfers(omi);
  await connect(omi);
  await waitUntil('a recording is transferred', () => transfers() === 1);
  change();
  recorder.cut();
  capture(recorder, 300, 500);
  await waitUntil('a second recording is transferred', () => transfers() === 2);
  change();
  recorder.cut();
  capture(recorder, 500, 550);
  await waitUntil('a third recording is transferred', () => transfers() === 3);
  expect(byLength(await phone.masters())).toEqual([
    getPackets(0, 300),
    getPackets(300, 500),
    getPackets(500, 550),
  ]);
});

it.each([
  ['once it is remembered', () => {}, 0],
  // The first block identifies the recording. The other blocks may be newer.
  ['if a crash came before it was remembered', forgetStored, 2],
])(
  'stores what was recorded after a recording that was permanently deleted, %s',
  async (_title, change, from) => {
    const phone = await openPhone();
    const recorder = new EmulatedOmi();
    recorder.clock = phone.now / 1000;
    capture(recorder, 0, 300);
    const omi = await phone.start(recorder);
    const transfers = countTransfers(omi);
    await connect(omi);
    await waitUntil('a recording is transferred', () => transfers() === 1);
    const [deleted] = await phone.records.summaries(UID);
    await phone.changes.edit(UID, { type: 'recording.delete', recording: deleted?.id ?? '' });
    change();
    recorder.cut();
    capture(recorder, 300, 500);
    await waitUntil('a second recording is transferred', () => transfers() === 2);
    expect(byLength(await phone.masters())).toEqual([getPackets(from === 0 ? 300 : from, 500)]);
  },
);

it('reads a stored recording again after a crash, and does not treat it as an interrupted recording', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  capture(recorder, 0, 100);
  const before = await phone.start(recorder);
  const transfers = countTransfers(before);
  phone.crashes = true;
  await connect(before);
  await waitUntil('the transfer has crashed', () => transfers() === 1);
  const [partial] = await phone.records.summaries(UID);
  await writeFile(join(folder, `${partial?.id}.packets`), getPacket(0));
  phone.crashes = false;
  localStorage.removeItem('OMI_DEVICES');
  recorder.cut();
  const after = await phone.start(recorder);
  expect(after.recorder.activity.get().state).toBe('disconnected');
  await connect(after);
  await waitUntil('the recording is stored', () => phone.isStored(1));
  expect(byLength(await phone.masters())).toEqual([getPackets(0, 100)]);
});

it('stores all new audio after another app has deleted a development kit’s file', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi({ model: 'devkit2', codec: 21 });
  capture(recorder, 0, 200);
  const omi = await phone.start(recorder);
  const transfers = countTransfers(omi);
  await connect(omi);
  await waitUntil('a recording is transferred', () => transfers() === 1);
  recorder.cut();
  recorder.clear();
  capture(recorder, 250, 650);
  await waitUntil('a second recording is transferred', () => transfers() === 2);
  expect(byLength(await phone.masters())).toEqual([getPackets(250, 650), getPackets(0, 200)]);
});

describe('deleting stored recordings from the recorder', () => {
  const storedElsewhere = { devcieSave: '0', consents: true, persists: true, isDeleted: true };
  it.each([
    ['deletes them if a verified copy exists', {}],
    ['keeps them without the user’s consent', { consents: false, isDeleted: false }],
    ['keeps them if the storage setting does', { devcieSave: '1', isDeleted: false }],
    ['keeps them if the copy may be evicted', { persists: false, isDeleted: false }],
  ])('%s', async (_title, changes) => {
    const { devcieSave, consents, persists, isDeleted } = { ...storedElsewhere, ...changes };
    for (const model of ['cv1', 'devkit2'] as const) {
      localStorage.removeItem('OMI_DEVICES');
      forgetStored();
      const phone = await openPhone(model);
      const recorder = new EmulatedOmi({ model, codec: 21 });
      recorder.clock = phone.now / 1000;
      phone.persists = persists;
      phone.storage = async () => createPolicy(devcieSave);
      capture(recorder, 0, 300);
      const omi = await phone.start(recorder);
      const transfers = countTransfers(omi);
      await connect(omi);
      await waitUntil('a recording is transferred', () => transfers() === 1);
      expect(recorder.storedBlocks).toBeGreaterThan(0);
      omi.service.setMayDelete(consents);
      recorder.cut();
      capture(recorder, 300, 350);
      await waitUntil('a second recording is transferred', () => transfers() === 2);
      expect(recorder.storedBlocks === 0).toBe(isDeleted);
      const masters = await phone.masters();
      expect(byLength(masters)).toEqual([getPackets(0, 300), getPackets(300, 350)]);
      const receipts = masters.map(async ({ id }) => (await phone.records.detail(id))?.receipt);
      const deletions = (await Promise.all(receipts)).flatMap((each) => each?.deletions ?? []);
      expect(deletions.map(({ place, survivor }) => [place, survivor?.place])).toEqual(
        isDeleted ? masters.map(() => ['recorder', 'phone']) : [],
      );
      await omi.stop();
    }
  });

  it('stores a recording again if its audio was lost', async () => {
    const phone = await openPhone();
    const recorder = new EmulatedOmi();
    recorder.clock = phone.now / 1000;
    phone.storage = async () => createPolicy('0');
    capture(recorder, 0, 300);
    const omi = await phone.start(recorder);
    const transfers = countTransfers(omi);
    await connect(omi);
    await waitUntil('a recording is transferred', () => transfers() === 1);
    const [lost] = await phone.masters();
    await rm(join(folder, `${lost?.id}.ogg`));
    omi.service.setMayDelete(true);
    recorder.cut();
    capture(recorder, 300, 310);
    await waitUntil('a second recording is transferred', () => transfers() === 2);
    expect(recorder.storedBlocks).toBeGreaterThan(0);
    recorder.cut();
    capture(recorder, 310, 320);
    await waitUntil('the lost recording is transferred again', () => transfers() === 3);
    expect(byLength(await phone.masters())[0]?.slice(0, 300)).toEqual(getPackets(0, 300));
    expect(recorder.storedBlocks).toBe(0);
  });

  it('asks for consent again for a different Omi', async () => {
    const phone = await openPhone();
    const omi = await phone.start(new EmulatedOmi());
    await connect(omi);
    omi.service.setMayDelete(true);
    expect(omi.service.mayDelete.get()).toBe(true);
    await omi.service.forget();
    await connect(omi);
    expect(omi.service.mayDelete.get()).toBe(false);
  });
});

it('stores audio more than a minute apart as separate recordings', async () => {
  const phone = await openPhone();
  const recorder = new EmulatedOmi();
  recorder.clock = phone.now / 1000;
  for (let index = 0; index < 50; index += 1) recorder.capture(getPacket(index));
  // The recorder closes a block when a phone connects.
  await openEmulatedLink(recorder).close();
  recorder.clock += 600;
  for (let index = 0; index < 70; index += 1) recorder.capture(getPacket(index));
  const omi = await phone.start(recorder);
  await connect(omi);
  await waitUntil('both recordings are stored', () => phone.isStored(2));
  const lengths = (await phone.masters()).map((master) => master.packets.length);
  expect(lengths).toEqual([70, 50]);
});
