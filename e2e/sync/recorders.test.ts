/** Runs the recorder contract suite against the app's adapters, with a virtual recorder and with a microphone. */
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
import { ProgressBoard, readStoragePolicy, systemClock } from '@linnet/sync';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { readConfig } from '@linnet/virtual-recorder/config';
import { startRecorder } from '@linnet/virtual-recorder/start';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bindRecorder, stubLocalStorage, stubSessionStorage } from '../support/bind-recorder.ts';
import { shortenCommandDelays } from '../support/command-delays.ts';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FileMicrophone } from '../support/file-microphone.ts';
import { noLiveText } from '../support/no-live-text.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';

let folder: string;
/** Cleanup callbacks, run in reverse order. */
let cleanups: (() => Promise<unknown>)[];
let errors: unknown[];
beforeEach(async () => {
  stubLocalStorage();
  stubSessionStorage();
  folder = await mkdtemp(join(tmpdir(), 'linnet-recorders-'));
  cleanups = [];
  errors = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  expect(errors).toEqual([]);
});

/** Opens a phone's stores and the options common to all recorders. */
async function openStores() {
  const opus = await loadOpus(readOpusWasm());
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  cleanups.push(() => database.close());
  const options = {
    records: createStores(database).records,
    audio: openFileAudioStore(folder, opus),
    progress: new ProgressBoard(),
    clock: systemClock,
    onStored: () => {},
    log: () => {},
    onError: (error: unknown) => void errors.push(error),
  };
  return { opus, options };
}

describe('this device', () => {
  /** Opens a device whose microphone receives a tone. */
  async function openDevice() {
    const { options } = await openStores();
    const microphone = new FileMicrophone(folder);
    const tone = Int16Array.from(
      { length: SAMPLE_RATE / 5 },
      (_, index) => 9000 * Math.sin(index / 9),
    );
    const packets = Buffer.concat(demuxOgg(await encodeAsRecorder(tone)).packets);
    const playing = new AbortController();
    const play = async () => {
      while (!playing.signal.aborted) {
        await microphone.capture(packets);
        await delay(20);
      }
    };
    const played = play();
    cleanups.push(async () => {
      playing.abort();
      await played;
    });
    /** Starts the app and waits until it has checked for an interrupted recording. */
    async function start({ wasReloaded = false } = {}) {
      const device = createThisDevice({
        ...{ ...options, microphone },
        live: noLiveText,
        keepAwake: () => () => {},
        wasReloaded: () => wasReloaded,
      });
      await device.start(UID);
      cleanups.push(() => device.stop());
      return device.recorder;
    }
    return { microphone, start };
  }
  recorderContract({ test: it, open: async () => (await openDevice()).start() });

  it('does not offer calls where the browser cannot share audio', async () => {
    const { microphone, start } = await openDevice();
    microphone.supportsSharedAudio = false;
    const { capabilities } = await start();
    expect(capabilities).toMatchObject({ supportsSharedAudio: false, scenes: ['meeting', 'note'] });
  });

  it.each([
    { scene: 'meeting', paused: false, wasReloaded: true, willPrompt: false, state: 'recording' },
    { scene: 'meeting', paused: true, wasReloaded: true, willPrompt: false, state: 'interrupted' },
    {
      scene: 'meeting',
      paused: false,
      wasReloaded: false,
      willPrompt: false,
      state: 'interrupted',
    },
    { scene: 'meeting', paused: false, wasReloaded: true, willPrompt: true, state: 'interrupted' },
    { scene: 'call', paused: false, wasReloaded: true, willPrompt: false, state: 'interrupted' },
  ] as const)(
    'is $state after a restart: $scene, paused $paused, reloaded $wasReloaded, willPrompt $willPrompt',
    async ({ scene, paused, wasReloaded, willPrompt, state }) => {
      const { microphone, start } = await openDevice();
      const before = await start();
      await before.start({ mode: 'normal', scene });
      await waitUntil('audio is recorded', () => before.audioLevels.get().levelCount > 0);
      if (paused) await before.pause();
      microphone.crash();
      microphone.willPrompt = willPrompt;
      const after = await start({ wasReloaded });
      expect(after.activity.get().state).toBe(state);
    },
  );

  it('is interrupted if the microphone is gone after a reload, and continues after the next tap', async () => {
    const { microphone, start } = await openDevice();
    const before = await start();
    await before.start({ mode: 'normal', scene: 'note' });
    await waitUntil('audio is recorded', () => before.audioLevels.get().levelCount > 0);
    microphone.crash();
    microphone.refusal = 'not_found';
    const after = await start({ wasReloaded: true });
    expect(after.activity.get().state).toBe('interrupted');
    microphone.refusal = null;
    expect(await after.continue()).toEqual({ ok: true, data: null });
    expect(after.activity.get().state).toBe('recording');
  });
});

describe('a recorder with the Linnet protocol', () => {
  async function open() {
    shortenCommandDelays(10);
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
      live: noLiveText,
      levels: async (_recordId, packets) => new PacketMeter(opus).push(packets),
      deletePermanently: async () => {},
      finders: new Map([['websocket', finder]]),
      networks: null,
      cloudDigest: async () => ({ ok: true, data: null }),
      storage: async () => readStoragePolicy([]),
      isStoragePersistent: () => true,
    });
    recorder.start(UID);
    cleanups.push(() => recorder.stop());
    await waitUntil(
      'the recorder is connected',
      () => recorder.service.link.get().status === 'connected',
    );
    return createLinnetRecorder(recorder.service, Date.now);
  }
  recorderContract({ test: it, open });
});
