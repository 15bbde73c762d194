/** Runs the contract of recorders against the app's adapters, over a virtual recorder and a microphone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLinnetRecorder } from '@linnet/app/linnet-recorder';
import { createRecorder } from '@linnet/app/recorder';
import { createThisDevice } from '@linnet/app/this-device';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { PacketMeter } from '@linnet/audio/peaks';
import { createClient } from '@linnet/contract/client';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { recorderContract } from '@linnet/recorders/testing';
import { ProgressBoard, readStoragePolicy } from '@linnet/sync';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { readConfig } from '@linnet/virtual-recorder/config';
import { startRecorder } from '@linnet/virtual-recorder/start';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bindRecorder, stubLocalStorage } from '../support/bind-recorder.ts';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FileMicrophone } from '../support/file-microphone.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';

let folder: string;
/** Closes what a test has opened, in reverse order. */
let cleanups: (() => Promise<unknown>)[];
let errors: unknown[];
beforeEach(async () => {
  stubLocalStorage();
  folder = await mkdtemp(join(tmpdir(), 'linnet-recorders-'));
  cleanups = [];
  errors = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
  expect(errors).toEqual([]);
});

/** Opens the stores of a phone, with what every recorder needs. */
async function openStores() {
  const opus = await loadOpus(readOpusWasm());
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  cleanups.push(() => database.close());
  const options = {
    records: createStores(database).records,
    audio: openFileAudioStore(folder, opus),
    progress: new ProgressBoard(),
    clock: {
      now: Date.now,
      sleep: (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }),
    },
    onStored: () => {},
    log: () => {},
    onError: (error: unknown) => void errors.push(error),
  };
  return { opus, options };
}

describe('this device', () => {
  async function open({ sharesAudio = true } = {}) {
    const { options } = await openStores();
    const microphone = new FileMicrophone(folder);
    microphone.sharesAudio = sharesAudio;
    const tone = Int16Array.from({ length: SAMPLE_RATE / 5 }, (_, at) => 9000 * Math.sin(at / 9));
    const packets = Buffer.concat(demuxOgg(await encodeAsRecorder(tone)).packets);
    const playing = new AbortController();
    const play = async () => {
      while (!playing.signal.aborted) {
        await microphone.hear(packets);
        await delay(20);
      }
    };
    const played = play();
    const device = createThisDevice({ ...options, microphone, keepAwake: () => () => {} });
    device.start(UID);
    cleanups.push(async () => {
      await device.stop();
      playing.abort();
      await played;
    });
    return device.recorder;
  }
  recorderContract({ test: it, open });

  it('does not offer calls where the browser cannot share audio', async () => {
    const { capabilities } = await open({ sharesAudio: false });
    expect(capabilities).toMatchObject({ sharesAudio: false, scenes: ['meeting', 'note'] });
  });
});

describe('a recorder with the Linnet protocol', () => {
  async function open() {
    const { opus, options } = await openStores();
    const running = await startRecorder(
      readConfig({
        RECORDER_PORT: '0',
        RECORDER_CONFIRM: 'auto',
        DATA_DIR: join(folder, 'recorder'),
      }),
    );
    cleanups.push(() => running.stop());
    const finder = createWebSocketFinder({ recorders: [running.url] });
    await bindRecorder(finder, running, UID);
    const recorder = createRecorder({
      ...options,
      // No server listens on this port.
      client: createClient({ baseUrl: 'http://127.0.0.1:9' }),
      server: 'http://127.0.0.1:9',
      levels: async (_recordId, packets) => new PacketMeter(opus).push(packets),
      deletePermanently: async () => {},
      finders: new Map([['websocket', finder]]),
      networks: null,
      cloudDigest: async () => ({ ok: true, data: null }),
      storage: async () => readStoragePolicy([]),
      storagePersists: () => true,
    });
    recorder.start(UID);
    cleanups.push(() => recorder.stop());
    await waitUntil('connected', () => recorder.service.link.get().status === 'connected');
    return createLinnetRecorder(recorder.service, Date.now);
  }
  recorderContract({ test: it, open });
});
