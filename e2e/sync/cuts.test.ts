/** Transfers five-minute sessions over links that break at every chunk, or at a thousand random bytes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { CHUNK_SIZE } from '@linnet/device/codec';
import { DeviceError, openRecorderSession } from '@linnet/device/session';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  type AudioStore,
  ProgressBoard,
  RecorderSync,
  readStoragePolicy,
  recordingId,
} from '@linnet/sync';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { openMemoryLink } from '@linnet/virtual-recorder/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFileAudioStore } from '../support/file-audio-store.ts';

const MINUTES = 5;
const PAYLOAD = 495;
/**
 * The recorder's speed as a multiple of real time. High, because the tests open thousands of connections, and commands
 * on a connection are 300 ms apart.
 */
const SPEED = 100;
const RANDOM_CUTS = 1000;
/** Maximum number of bytes before a random break. Low enough that some links break before the first chunk. */
const MAX_BYTES = 30_000;

let opus: OpusModule;
let dir: string;
let running: RunningRecorder;
let sessionId: number;
let startTime: number;
let packets: Buffer;

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  dir = await mkdtemp(join(tmpdir(), 'linnet-cuts-'));
  const env = {
    RECORDER_PORT: '0',
    RECORDER_CONFIRM: 'auto',
    DATA_DIR: dir,
    RECORDER_SCENES: dir,
    RECORDER_SCENE: '',
  };
  running = await startRecorder(readConfig(env));
  running.recorder.clock.speed = SPEED;
  // In a chirp, no two seconds are equal, so a gap would be noticed.
  const samples = Int16Array.from({ length: MINUTES * 60 * SAMPLE_RATE }, (_, index) => {
    const t = index / SAMPLE_RATE;
    return 8000 * Math.sin(2 * Math.PI * (200 + 3 * t) * t) * Math.sin(t);
  });
  startTime = 1_700_000_000;
  const metadata = { startTime, mode: 'normal', scene: 'meeting' } as const;
  const record = await running.recorder.addSession(samples, metadata);
  sessionId = record.sessionId;
  const size = record.closed?.fileSize ?? 0;
  packets = Buffer.from(await running.recorder.flash.read(sessionId, 0, size));
});
afterAll(async () => {
  await running?.stop();
  await rm(dir, { recursive: true });
});

type Cut = { readonly drop: () => void };

/** Opens a phone without recordings. */
async function createPhone() {
  const folder = await mkdtemp(join(dir, 'phone-'));
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  const { records } = createStores(database);
  const audio = openFileAudioStore(folder, opus);
  const { recorder } = running;
  const id = recordingId(recorder.flash.state.sn, sessionId, startTime);
  const clock = {
    now: () => recorder.clock.elapsed(),
    elapsed: () => recorder.clock.elapsed(),
    after: (ms: number, callback: () => void) => recorder.clock.after(ms, callback),
  };
  const getPhoneCopy = async () => (await records.work([id])).get(id)?.copies.phone;

  return {
    /** Returns the number of bytes that are durable on the phone. */
    async durableBytes(): Promise<number> {
      const phoneCopy = await getPhoneCopy();
      return phoneCopy && phoneCopy.status !== 'absent' ? phoneCopy.bytes : 0;
    },
    isComplete: async () => (await getPhoneCopy())?.status === 'verified',
    /** Connects and reads until the link breaks or the session is complete. */
    async connect(wrapAudioStore: (audio: AudioStore, cut: Cut) => AudioStore): Promise<void> {
      const link = openMemoryLink(recorder, PAYLOAD);
      try {
        const session = await openRecorderSession(link.transport, { clock });
        const done = new AbortController();
        const sync = new RecorderSync({
          session,
          uid: 'owner',
          records,
          audio: wrapAudioStore(audio, link),
          progress: new ProgressBoard(),
          storage: async () => readStoragePolicy([]),
          isStoragePersistent: () => true,
          onStored: () => done.abort(),
          log: () => {},
        });
        await sync.run(done.signal);
        await session.close();
      } catch (error) {
        // The link may break before the session opens, or a busy machine may respond too late.
        const isExpected =
          error instanceof DeviceError && ['link_lost', 'timeout'].includes(error.code);
        if (!isExpected) throw error;
      }
    },
    async readPackets(): Promise<Buffer> {
      const master = (await audio.master(id)) ?? expect.fail('no audio');
      return Buffer.concat(demuxOgg(new Uint8Array(await master.arrayBuffer())).packets);
    },
    async dispose() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Wraps an audio store so that the link breaks at every chunk, alternating between just before and just after the chunk
 * becomes durable.
 */
function cutAtEachChunk(audio: AudioStore, { drop }: Cut): AudioStore {
  return {
    ...audio,
    async openPackets(id, chunkBytes) {
      const file = await audio.openPackets(id, chunkBytes);
      return {
        get bytes() {
          return file.bytes;
        },
        async append(bytes) {
          const isEarly = (file.bytes / chunkBytes) % 2 === 0;
          if (isEarly) drop();
          await file.append(bytes);
          if (!isEarly) drop();
        },
        close: () => file.close(),
      };
    },
  };
}

it('loses no data when the link breaks at every chunk', { timeout: 600_000 }, async () => {
  const phone = await createPhone();
  const chunks = Math.ceil(packets.length / CHUNK_SIZE);
  expect(chunks).toBe(MINUTES * 60 * 5);
  let cuts = 0;
  for (let before = 0; !(await phone.isComplete()); before = await phone.durableBytes()) {
    await phone.connect(cutAtEachChunk);
    const after = await phone.durableBytes();
    if (after === before) continue;
    // Each link transfers one chunk, and no chunk is transferred twice.
    expect(after).toBe(Math.min(packets.length, before + CHUNK_SIZE));
    cuts += 1;
  }
  expect((await phone.readPackets()).equals(packets)).toBe(true);
  expect(cuts).toBeGreaterThanOrEqual(chunks);
  console.info(JSON.stringify({ cutsAtChunks: cuts, lostBytes: 0 }));
  await phone.dispose();
});

it('loses no data when the link breaks at any byte', { timeout: 600_000 }, async () => {
  const { recorder } = running;
  let cuts = 0;
  let completedPhones = 0;
  let phone = await createPhone();
  while (cuts < RANDOM_CUTS) {
    const bytes = 1 + Math.floor(Math.random() * MAX_BYTES);
    recorder.faults.dropAfterBytes = bytes;
    const before = await phone.durableBytes();
    await phone.connect((audio) => audio);
    if (recorder.faults.dropAfterBytes === undefined) cuts += 1;
    expect(await phone.durableBytes(), `cut at byte ${bytes}`).toBeGreaterThanOrEqual(before);
    if (!(await phone.isComplete())) continue;
    expect((await phone.readPackets()).equals(packets)).toBe(true);
    completedPhones += 1;
    await phone.dispose();
    phone = await createPhone();
  }
  recorder.faults.dropAfterBytes = undefined;
  while (!(await phone.isComplete())) await phone.connect((audio) => audio);
  expect((await phone.readPackets()).equals(packets)).toBe(true);
  console.info(JSON.stringify({ cutsAtRandom: cuts, phones: completedPhones + 1, lostBytes: 0 }));
  await phone.dispose();
});
