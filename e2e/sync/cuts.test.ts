/** A five-minute session whose link breaks everywhere: after every chunk, and at a thousand random bytes. */
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
/** Times real time: thousands of connections, each with its commands 300 ms apart. */
const SPEED = 100;
const RANDOM_CUTS = 1000;
/** Maximum bytes on the air before a random break: some come before the first chunk, some late. */
const MOST_BYTES = 30_000;

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
  // A rising and falling chirp: no two seconds are alike.
  const samples = Int16Array.from({ length: MINUTES * 60 * SAMPLE_RATE }, (_, at) => {
    const t = at / SAMPLE_RATE;
    return 8000 * Math.sin(2 * Math.PI * (200 + 3 * t) * t) * Math.sin(t);
  });
  startTime = 1_700_000_000;
  const about = { startTime, mode: 'normal', scene: 'meeting' } as const;
  const record = await running.recorder.addSession(samples, about);
  sessionId = record.sessionId;
  const size = record.closed?.fileSize ?? 0;
  packets = Buffer.from(await running.recorder.flash.read(sessionId, 0, size));
});
afterAll(async () => {
  await running?.stop();
  await rm(dir, { recursive: true });
});

type Cut = { readonly drop: () => void };

/** A phone without recordings. */
async function newPhone() {
  const folder = await mkdtemp(join(dir, 'phone-'));
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  const { records } = createStores(database);
  const audio = openFileAudioStore(folder, opus);
  const { recorder } = running;
  const id = recordingId(recorder.flash.state.sn, sessionId, startTime);
  const clock = {
    now: () => recorder.clock.elapsed(),
    after: (ms: number, callback: () => void) => recorder.clock.after(ms, callback),
  };
  const copy = async () => (await records.work([id])).get(id)?.copies.phone;

  return {
    /** Durable bytes. */
    async held(): Promise<number> {
      const now = await copy();
      return now && now.status !== 'absent' ? now.bytes : 0;
    },
    isWhole: async () => (await copy())?.status === 'verified',
    /** Connects, and reads until the link breaks or the session is complete. */
    async connect(through: (audio: AudioStore, cut: Cut) => AudioStore): Promise<void> {
      const link = openMemoryLink(recorder, PAYLOAD);
      try {
        const session = await openRecorderSession(link.transport, { clock });
        const done = new AbortController();
        const sync = new RecorderSync({
          session,
          uid: 'owner',
          records,
          audio: through(audio, link),
          progress: new ProgressBoard(),
          storage: async () => readStoragePolicy([]),
          storagePersists: () => true,
          onStored: () => done.abort(),
          log: () => {},
        });
        await sync.run(done.signal);
        await session.close();
      } catch (error) {
        // The link broke before there was a session, or a busy machine answered too late.
        const broke = error instanceof DeviceError && ['link_lost', 'timeout'].includes(error.code);
        if (!broke) throw error;
      }
    },
    async packets(): Promise<Buffer> {
      const master = (await audio.master(id)) ?? expect.fail('no audio');
      return Buffer.concat(demuxOgg(new Uint8Array(await master.arrayBuffer())).packets);
    },
    async end() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Breaks the link at each chunk, alternately before it is durable and right after. */
function cuttingEachChunk(audio: AudioStore, { drop }: Cut): AudioStore {
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

it('loses nothing when the link breaks at every chunk', { timeout: 600_000 }, async () => {
  const phone = await newPhone();
  const chunks = Math.ceil(packets.length / CHUNK_SIZE);
  expect(chunks).toBe(MINUTES * 60 * 5);
  let cuts = 0;
  for (let held = 0; !(await phone.isWhole()); held = await phone.held()) {
    await phone.connect(cuttingEachChunk);
    const now = await phone.held();
    if (now === held) continue;
    // Each link carries one chunk, and no chunk is transferred twice.
    expect(now).toBe(Math.min(packets.length, held + CHUNK_SIZE));
    cuts += 1;
  }
  expect((await phone.packets()).equals(packets)).toBe(true);
  expect(cuts).toBeGreaterThanOrEqual(chunks);
  console.info(JSON.stringify({ cutsAtChunks: cuts, lostBytes: 0 }));
  await phone.end();
});

it('loses nothing when the link breaks at any byte', { timeout: 600_000 }, async () => {
  const { recorder } = running;
  let cuts = 0;
  let read = 0;
  let phone = await newPhone();
  while (cuts < RANDOM_CUTS) {
    const bytes = 1 + Math.floor(Math.random() * MOST_BYTES);
    recorder.faults.dropAfterBytes = bytes;
    const before = await phone.held();
    await phone.connect((audio) => audio);
    if (recorder.faults.dropAfterBytes === undefined) cuts += 1;
    expect(await phone.held(), `cut at byte ${bytes}`).toBeGreaterThanOrEqual(before);
    if (!(await phone.isWhole())) continue;
    expect((await phone.packets()).equals(packets)).toBe(true);
    read += 1;
    await phone.end();
    phone = await newPhone();
  }
  recorder.faults.dropAfterBytes = undefined;
  while (!(await phone.isWhole())) await phone.connect((audio) => audio);
  expect((await phone.packets()).equals(packets)).toBe(true);
  console.info(JSON.stringify({ cutsAtRandom: cuts, phones: read + 1, lostBytes: 0 }));
  await phone.end();
});
