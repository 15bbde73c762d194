/** Tests the app's recorder link with two recorders that use protocol version 2, while the server is unreachable. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownRecorders } from '@linnet/app/known-recorders';
import { createRecorderLink, type RecorderLink } from '@linnet/app/recorder-link';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createClient } from '@linnet/contract/client';
import { FLAG_SEALED, FrameDecoder, OWNER_TAG_LENGTH } from '@linnet/device/codec';
import { openRecorderSession } from '@linnet/device/session';
import type { RecorderFinder, Transport } from '@linnet/device/transport';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { ProgressBoard, readStoragePolicy, systemClock } from '@linnet/sync';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bindRecorder, stubLocalStorage } from '../support/bind-recorder.ts';
import { shortenCommandDelays } from '../support/command-delays.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { noLiveText } from '../support/no-live-text.ts';
import { RecorderControl } from '../support/recorder-control.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';
const SPEED = 20;
/** How much faster than real time the phone's delays between commands and attempts elapse. */
const PHONE_SPEED = 10;

let opus: OpusModule;
let dir: string;
let recorders: [RunningRecorder, RunningRecorder];
let finder: RecorderFinder;
let link: RecorderLink;
let errors: unknown[];
/** Wraps the transports opened by the finder, to inject faults. */
let wrapTransport: (transport: Transport) => Transport;
/** The error thrown instead of opening a transport. */
let openError: Error | null;
/** Called to join a recorder's network. */
let joinNetwork: (
  network: { ssid: string; password: string },
  signal: AbortSignal,
) => Promise<boolean>;
/** How far the phone's clock is ahead, in milliseconds. */
let clockOffset: number;
let stop: () => Promise<void>;

const getSerial = ({ recorder }: RunningRecorder) => recorder.flash.state.sn;
const isServing = ({ recorder }: RunningRecorder) => recorder.isConnected;

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});

beforeEach(async () => {
  stubLocalStorage();
  shortenCommandDelays(PHONE_SPEED);
  dir = await mkdtemp(join(tmpdir(), 'linnet-link-'));
  const start = async (name: string) => {
    const env = {
      RECORDER_PORT: '0',
      RECORDER_CONFIRM: 'auto',
      DATA_DIR: join(dir, name),
      RECORDER_SCENES: dir,
    };
    const running = await startRecorder(readConfig({ ...env, RECORDER_SCENE: '' }));
    running.recorder.clock.speed = SPEED;
    return running;
  };
  recorders = [await start('first'), await start('second')];
  wrapTransport = (transport) => transport;
  openError = null;
  joinNetwork = async () => false;
  clockOffset = 0;
  const webSocketFinder = createWebSocketFinder({ recorders: recorders.map(({ url }) => url) });
  finder = {
    kind: webSocketFinder.kind,
    discovery: webSocketFinder.discovery,
    availability: () => webSocketFinder.availability(),
    onAvailabilityChange: (listener) => webSocketFinder.onAvailabilityChange(listener),
    find: (options) => webSocketFinder.find(options),
    reopen: async (...args) => {
      if (openError) throw openError;
      return wrapTransport(await webSocketFinder.reopen(...args));
    },
  };
  const database = await openNodeSqlite(join(dir, 'phone.sqlite3'));
  await migrate(database);
  errors = [];
  link = createRecorderLink({
    // No server listens on this port.
    client: createClient({ baseUrl: 'http://127.0.0.1:9' }),
    records: createStores(database).records,
    audio: openFileAudioStore(dir, opus),
    progress: new ProgressBoard(),
    finders: new Map([['websocket', finder]]),
    networks: { join: (network, signal) => joinNetwork(network, signal) },
    phoneCopy: () => ({ status: 'waiting' }),
    onStored: () => {},
    onLiveChunk: () => {},
    live: noLiveText,
    cloudDigest: async () => ({ ok: true, data: null }),
    storage: async () => readStoragePolicy([]),
    isStoragePersistent: () => true,
    clock: {
      ...systemClock,
      now: () => systemClock.now() + clockOffset,
      elapsed: () => systemClock.elapsed() + clockOffset,
      sleep: (ms, signal) => systemClock.sleep(ms / PHONE_SPEED, signal),
    },
    log: () => {},
    onError: (error) => errors.push(error),
  });
  link.setOwner(UID);
  stop = async () => {
    await link.disconnect();
    await database.close();
  };
});

afterEach(async () => {
  await stop();
  for (const running of recorders) await running.stop();
  await rm(dir, { recursive: true });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const status = () => link.state.get().status;

/** Drops the second sealed request, a status query. The first one sets the time. */
function dropStatusRequest(transport: Transport): Transport {
  const decoder = new FrameDecoder();
  let sealed = 0;
  return {
    kind: transport.kind,
    deviceId: transport.deviceId,
    name: transport.name,
    maxWriteSize: transport.maxWriteSize,
    onBytes: (listener) => transport.onBytes(listener),
    onClosed: (listener) => transport.onClosed(listener),
    close: () => transport.close(),
    write: async (bytes, options) => {
      const before = sealed;
      sealed += decoder.push(bytes).filter(({ flags }) => flags === FLAG_SEALED).length;
      if (before === 1 && sealed === 2) return;
      await transport.write(bytes, options);
    },
  };
}

describe('the link to the recorders', () => {
  it('reconnects automatically after a link loss, and frees the recorder when disconnected', async () => {
    const [first] = recorders;
    await bindRecorder(finder, first, UID);
    expect(await link.connect({ isUserInitiated: false })).toMatchObject({ ok: true });
    expect(status()).toBe('connected');
    first.recorder.faults.refuseConnect = true;
    await new RecorderControl(first.url).setFaults({ drop: true });
    await waitUntil('the link is lost', () => status() === 'reconnecting');
    first.recorder.faults.refuseConnect = false;
    await waitUntil('the link is reconnected', () => status() === 'connected');
    await link.disconnect();
    await waitUntil('the recorder is free', () => !isServing(first));
    expect(errors).toEqual([]);
  });

  it('remembers the last link loss of each recorder until the account signs out', async () => {
    const [first, second] = recorders;
    await bindRecorder(finder, second, UID);
    await bindRecorder(finder, first, UID);
    const lastLoss = () => link.history.get().lastLoss;
    await link.connect({ isUserInitiated: false, sn: getSerial(first) });
    expect(lastLoss()).toBeNull();
    await new RecorderControl(first.url).setFaults({ drop: true });
    await waitUntil('the loss is stored', () => lastLoss() !== null);
    expect(lastLoss()).toMatchObject({ reason: 'link_lost' });
    await link.connect({ isUserInitiated: true, sn: getSerial(second) });
    expect(link.state.get()).toMatchObject({ status: 'connected', sn: getSerial(second) });
    expect(lastLoss()).toBeNull();
    await link.connect({ isUserInitiated: true, sn: getSerial(first) });
    expect(lastLoss()).toMatchObject({ reason: 'link_lost' });
    await link.disconnect();
    link.setOwner(null);
    link.setOwner(UID);
    expect(link.state.get()).toMatchObject({ status: 'idle', sn: getSerial(first) });
    expect(lastLoss()).toBeNull();
  });

  it('closes a session if its first request times out', async () => {
    const [first] = recorders;
    await bindRecorder(finder, first, UID);
    wrapTransport = dropStatusRequest;
    expect(await link.connect({ isUserInitiated: true })).toMatchObject({
      failure: { kind: 'device', code: 'timeout' },
    });
    expect(status()).toBe('reconnecting');
    await waitUntil('the recorder is free', () => !isServing(first));
  });

  it('reports unexpected errors, and retries', async () => {
    await bindRecorder(finder, recorders[0], UID);
    openError = new TypeError('Failed to fetch dynamically imported module');
    expect(await link.connect({ isUserInitiated: false })).toMatchObject({ ok: false });
    expect(errors).toHaveLength(1);
    expect(status()).toBe('reconnecting');
    openError = null;
    await waitUntil('the link is connected', () => status() === 'connected');
  });

  it('does not treat an unreachable server as a removed binding', async () => {
    await bindRecorder(finder, recorders[0], UID);
    const [known] = knownRecorders.lastUsedFirst(UID);
    if (!known) throw new Error('no recorder is remembered');
    knownRecorders.remember({ ...known, bindingKey: '0f'.repeat(32) });
    await link.connect({ isUserInitiated: false });
    expect(link.state.get()).toMatchObject({ status: 'reconnecting', reason: 'lost' });
    knownRecorders.remember(known);
    await waitUntil('the link is connected', () => status() === 'connected');
  });

  it('remembers which functions a recorder lacks', async () => {
    const [first] = recorders;
    first.recorder.faults.unknownCommands = ['wifiOpen'];
    await bindRecorder(finder, first, UID);
    const capabilities = () => {
      const state = link.state.get();
      return state.status === 'connected' ? state.recorder.capabilities : null;
    };
    await link.connect({ isUserInitiated: false });
    expect(capabilities()).toMatchObject({ hasWifi: true, keepsLog: true });
    expect(link.state.get()).toMatchObject({ recorder: { medium: 'network' } });
    const failure = { kind: 'device', code: 'command_unknown' };
    expect(await link.openWifi()).toEqual({ ok: false, failure });
    expect(capabilities()).toMatchObject({ hasWifi: false, keepsLog: true });
    await link.disconnect();
    await link.connect({ isUserInitiated: false });
    expect(capabilities()).toMatchObject({ hasWifi: false, keepsLog: true });
  });

  it('cannot authenticate after the account’s keys have been removed', async () => {
    await bindRecorder(finder, recorders[0], UID);
    knownRecorders.removeKeys(UID);
    expect(localStorage.getItem('BIND_DEVICE')).toContain('"bindingKey":null');
    await link.connect({ isUserInitiated: false });
    expect(status()).toBe('reconnecting');
  });

  describe("a recorder's network", () => {
    it('is joined automatically if the phone supports it, and is left after use', async () => {
      const [first] = recorders;
      await bindRecorder(finder, first, UID);
      await link.connect({ isUserInitiated: false });
      const states: unknown[] = [];
      let hasLeft = false;
      joinNetwork = async ({ ssid, password }, signal) => {
        states.push(link.state.get());
        signal.addEventListener('abort', () => (hasLeft = true));
        await new RecorderControl(first.url).joinWifi(ssid, password);
        return true;
      };
      expect(await link.openWifi()).toMatchObject({ ok: true });
      await waitUntil(
        'the link is connected over Wi-Fi',
        () => link.current()?.session.kind === 'wifi',
      );
      expect(states).toMatchObject([{ status: 'hotspot', joining: 'asked' }]);
      expect(hasLeft).toBe(false);
      await link.closeWifi();
      expect(hasLeft).toBe(true);
    });

    it('is detected if the user joins manually while the system prompt is open', async () => {
      const [first] = recorders;
      await bindRecorder(finder, first, UID);
      await link.connect({ isUserInitiated: false });
      const prompt = Promise.withResolvers<boolean>();
      joinNetwork = () => prompt.promise;
      await link.openWifi();
      const state = link.state.get();
      if (state.status !== 'hotspot') throw new Error('no network');
      await new RecorderControl(first.url).joinWifi(state.ssid, state.password);
      await waitUntil(
        'the link is connected over Wi-Fi',
        () => link.current()?.session.kind === 'wifi',
      );
      // The system's late response has no effect.
      prompt.resolve(false);
      await prompt.promise;
      expect(link.state.get()).toMatchObject({ status: 'connected' });
    });

    it('is abandoned when the recorder stops waiting, even if the system prompt is still open', async () => {
      await bindRecorder(finder, recorders[0], UID);
      await link.connect({ isUserInitiated: false });
      joinNetwork = async () => {
        clockOffset = 60_000;
        return false;
      };
      await link.openWifi();
      await waitUntil('Bluetooth is connected', () => status() === 'connected');
      expect(link.current()?.session.kind).not.toBe('wifi');
    });

    it('must be joined manually if the phone may not join it', async () => {
      await bindRecorder(finder, recorders[0], UID);
      await link.connect({ isUserInitiated: false });
      joinNetwork = () => Promise.reject(new Error('unexpected'));
      await link.openWifi();
      await waitUntil('the refusal is shown', () => {
        const state = link.state.get();
        return state.status === 'hotspot' && state.joining === 'refused';
      });
      expect(errors).toMatchObject([{ message: 'unexpected' }]);
    });
  });

  describe('while a recorder is being bound', () => {
    const openAndBind = async (index: 0 | 1) => {
      const candidates = await finder.find();
      const candidate = candidates.find(({ deviceId }) => deviceId === getSerial(recorders[index]));
      if (!candidate) throw new Error('no recorder found');
      const { kind, deviceId } = candidate;
      const session = await openRecorderSession(await candidate.connect(), {
        binding: { status: 'new' },
      });
      const binding = await session.bind();
      if (binding.version !== 2) throw new Error('bound under version 1');
      await session.claim(new Uint8Array(OWNER_TAG_LENGTH));
      const bindingKey = Buffer.from(binding.key).toString('hex');
      const recorder = { kind, deviceId, name: deviceId, sn: deviceId, uid: UID, bindingKey };
      return { session, recorder };
    };

    it('does not connect other recorders, and adopts the new session as the link', async () => {
      await bindRecorder(finder, recorders[0], UID);
      await link.connect({ isUserInitiated: false });
      const bindingAttempt = await link.beginBind();
      const { session, recorder } = await openAndBind(1);
      await link.connect({ isUserInitiated: true, sn: getSerial(recorders[0]) });
      expect(isServing(recorders[0])).toBe(false);
      knownRecorders.remember(recorder);
      await bindingAttempt.adopt(session, recorder);
      bindingAttempt.end();
      expect(link.state.get()).toMatchObject({ status: 'connected', sn: getSerial(recorders[1]) });
      expect(link.current()?.session.info.sn).toBe(getSerial(recorders[1]));
      expect(isServing(recorders[0])).toBe(false);
    });

    it('cancels the binding and closes its session when the user signs out', async () => {
      const bindingAttempt = await link.beginBind();
      const { session, recorder } = await openAndBind(0);
      await link.disconnect();
      link.setOwner(null);
      expect(bindingAttempt.signal.aborted).toBe(true);
      await expect(bindingAttempt.adopt(session, recorder)).rejects.toMatchObject({
        code: 'aborted',
      });
      bindingAttempt.end();
      expect(link.current()).toBeNull();
      expect(link.state.get()).toEqual({ status: 'none' });
      await waitUntil('the recorder is free', () => !isServing(recorders[0]));
    });

    it('cancels the binding when another binding starts', async () => {
      const canceledAttempt = await link.beginBind();
      const first = await openAndBind(0);
      const bindingAttempt = await link.beginBind();
      const secondDevice = await openAndBind(1);
      knownRecorders.remember(secondDevice.recorder);
      await bindingAttempt.adopt(secondDevice.session, secondDevice.recorder);
      await expect(canceledAttempt.adopt(first.session, first.recorder)).rejects.toThrow();
      canceledAttempt.end();
      bindingAttempt.end();
      expect(link.current()?.session.info.sn).toBe(getSerial(recorders[1]));
      await waitUntil('the first recorder is free', () => !isServing(recorders[0]));
    });

    it('reconnects the previous recorder when the binding ends without a new recorder', async () => {
      await bindRecorder(finder, recorders[0], UID);
      await link.connect({ isUserInitiated: false });
      const bindingAttempt = await link.beginBind();
      await waitUntil('the recorder is disconnected', () => !isServing(recorders[0]));
      bindingAttempt.end();
      await waitUntil('the link is reconnected', () => status() === 'connected');
    });
  });
});
