/** Tests Wi-Fi through the protocol and HTTP: access control, and transfers that the network interrupts. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import {
  DeviceError,
  type Hotspot,
  openRecorderSession,
  type RecorderEvent,
  type RecorderSession,
  readSessionOverHttp,
} from '@linnet/device/session';
import { openWifi } from '@linnet/transports/wifi';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Firmware } from '../flash/firmware.ts';
import { Flash, type SessionRecord } from '../flash/flash.ts';
import { PacedClock } from '../paced-clock.ts';
import { Recorder } from '../recorder.ts';
import { connectInMemory } from '../testing/memory-radio.ts';
import { createPhoneClock } from '../testing/phone-clock.ts';
import { SteppedClock } from '../testing/stepped-clock.ts';
import { until } from '../testing/wait.ts';
import { WIFI_BYTES_PER_SECOND } from './air.ts';
import { HOTSPOT_TIMEOUT_MS } from './wifi.ts';

/** A version 1 hotspot, which is accessed with a token. */
type OpenHotspot = Extract<Hotspot, { version: 1 }>;

let opus: OpusModule;
let dir: string;
let recorder: Recorder;
let session: RecorderSession;
let record: SessionRecord;
let events: RecorderEvent[];
const voice = Int16Array.from({ length: 16_000 * 60 }, (_, n) => 9000 * Math.sin(n / 20));

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-wifi-'));
  const flash = await Flash.open(dir);
  recorder = new Recorder(flash, await Firmware.boot(flash), new PacedClock(50), opus, []);
  record = await recorder.addSession(voice, { startTime: 1000, mode: 'normal', scene: 'note' });
  session = await connect();
});
afterEach(async () => {
  await session.close();
  await recorder.shutDown();
  await rm(dir, { recursive: true });
});

async function connect(): Promise<RecorderSession> {
  events = [];
  const opened = await openRecorderSession(connectInMemory(recorder, 244), {
    clock: createPhoneClock(recorder.clock),
  });
  opened.onEvent((event) => events.push(event));
  return opened;
}

const code = (action: Promise<unknown>) =>
  action.then(
    () => 'none',
    (error: unknown) => (error instanceof DeviceError ? error.code : String(error)),
  );
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const get = ({ origin, token }: OpenHotspot, path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } });
/** Returns the number of listening servers in this process. */
const servers = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
/** Opens a version 1 hotspot. */
async function openVersion1Hotspot(sessionIds: readonly number[]): Promise<OpenHotspot> {
  const hotspot = await session.openHotspot(sessionIds);
  return hotspot.version === 1 ? hotspot : expect.fail('a hotspot of version 2');
}
/** Opens the hotspot and joins it from a phone. */
async function joinHotspot(): Promise<OpenHotspot> {
  const disconnected = new Promise((resolve) => session.onClosed(resolve));
  const hotspot = await openVersion1Hotspot([record.sessionId]);
  expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(true);
  await disconnected;
  return hotspot;
}

describe('the hotspot', () => {
  test('is named after the serial number and replaces Bluetooth', async () => {
    const disconnected = new Promise((resolve) => session.onClosed(resolve));
    const hotspot = await session.openHotspot([record.sessionId]);
    const { sn } = session.info;
    expect(hotspot).toMatchObject({ ssid: `LNR1-9-${sn.slice(-4)}`, password: sn.slice(-8) });
    await disconnected;
    expect((await recorder.start({ mode: 'normal', scene: 'note' }, 'button')).ok).toBe(false);
  });

  test('is unreachable before joining and rejects a wrong password', async () => {
    const hotspot = await openVersion1Hotspot([]);
    await expect(get(hotspot, '/sessions')).rejects.toThrow();
    expect(recorder.wifi.join(hotspot.ssid, 'wrong')).toBe(false);
    expect(recorder.wifi.join('another', hotspot.password)).toBe(false);
    recorder.faults.wifiDenied = true;
    expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(false);
    await expect(get(hotspot, '/sessions')).rejects.toThrow();
    recorder.faults.wifiDenied = false;
    expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(true);
    expect((await get(hotspot, '/sessions')).status).toBe(200);
  });

  test('stops without a device, and Bluetooth returns', async () => {
    const hotspot = await openVersion1Hotspot([]);
    const startMs = recorder.clock.elapsed();
    await until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');
    expect(recorder.clock.elapsed() - startMs).toBeGreaterThan(HOTSPOT_TIMEOUT_MS - 5000);
    expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(false);
    session = await connect();
    expect((await session.status()).recording.state).toBe('idle');
  });

  test('stops when a joined device is idle', async () => {
    const hotspot = await joinHotspot();
    const link = await openWifi(hotspot, { deviceId: 'phone' });
    await link.close();
    await until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');
    session = await connect();
    expect((await session.status()).recording.state).toBe('idle');
  });

  test('stays up during a connection and stops when the phone is done', async () => {
    const hotspot = await joinHotspot();
    const link = await openWifi(hotspot, { deviceId: 'phone' });
    const startMs = recorder.clock.elapsed();
    await until(
      () => recorder.clock.elapsed() > startMs + HOTSPOT_TIMEOUT_MS + 5000,
      'enough time has passed',
    );
    expect((await get(hotspot, '/sessions')).status).toBe(200);
    await link.close();
    const { origin, token } = hotspot;
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${origin}/done`, { method: 'POST', headers })).status).toBe(204);
    await until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');
    await expect(get(hotspot, '/sessions')).rejects.toThrow();
  });

  test('is refused while recording, in USB disk mode and for an unknown session', async () => {
    expect(await code(session.openHotspot([99]))).toBe('session_unknown');
    recorder.faults.usbDisk = true;
    expect(await code(session.openHotspot([]))).toBe('usb_disk_mode');
    recorder.faults.usbDisk = false;
    await recorder.start({ mode: 'normal', scene: 'note' }, 'button');
    expect(await code(session.openHotspot([]))).toBe('session_recording');
  });

  test('serves one of two concurrent requests, and none after it stops', async () => {
    const bothResponses = await Promise.all([
      recorder.wifi.startHotspot(null),
      recorder.wifi.startHotspot(null),
    ]);
    const { ssid, password } = recorder.wifi.credentials;
    const origin = `http://127.0.0.1:${recorder.wifi.httpAddress.port}`;
    expect(recorder.wifi.join(ssid, password)).toBe(true);
    const statuses = bothResponses.map(async ({ token }) => {
      const hotspot = {
        version: 1,
        ssid,
        password,
        origin,
        token: Buffer.from(token).toString('hex'),
      } as const;
      return (await get(hotspot, '/sessions')).status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 200]);
    expect(servers()).toBe(1);
    await recorder.wifi.stop();
    await until(() => servers() === 0, 'the server has stopped');
  });

  test('stays off when it is stopped during its start', async () => {
    await Promise.all([recorder.wifi.startHotspot(null), recorder.wifi.stop()]);
    expect(recorder.wifi.status).toBe('off');
    await until(() => servers() === 0, 'the server has stopped');
  });

  test('has a custom password until it is reset', async () => {
    await recorder.flash.saveState({ hotspotPassword: 'a nest of one’s own' });
    expect(recorder.wifi.credentials.password).toBe('a nest of one’s own');
    await session.resetHotspotPassword();
    expect(recorder.wifi.credentials.password).toBe(session.info.sn.slice(-8));
  });
});

describe('sessions over HTTP', () => {
  test('are listed with their hash and read in full', async () => {
    const hotspot = await joinHotspot();
    const list = await (await get(hotspot, '/sessions')).json();
    const { fileSize, sha256: hash } = record.closed ?? {};
    expect(list).toEqual([{ sessionId: record.sessionId, fileSize, sha256: hash }]);
    const response = await get(hotspot, `/sessions/${record.sessionId}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe(`"${hash}"`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(sha256(bytes)).toBe(hash);
  });

  test('are paced by the air model', async () => {
    const hotspot = await joinHotspot();
    const startedAt = recorder.clock.elapsed();
    const bothResponses = await Promise.all(
      [1, 2].map(() => get(hotspot, `/sessions/${record.sessionId}`)),
    );
    const [first, second] = await Promise.all(
      bothResponses.map((response) => response.arrayBuffer()),
    );
    const bytes = (first?.byteLength ?? 0) + (second?.byteLength ?? 0);
    expect(bytes).toBe(960_000);
    const seconds = (recorder.clock.elapsed() - startedAt) / 1000;
    expect(bytes / seconds).toBeLessThanOrEqual(WIFI_BYTES_PER_SECOND);
  });

  test.each([
    ['from the middle', 'bytes=1600-', 206, 1600, undefined],
    ['in part', 'bytes=0-159', 206, 0, 160],
    ['up to their end if the range is too long', 'bytes=479840-999999', 206, 479_840, 480_000],
    ['completely if the range unit is unknown', 'packets=1-2', 200, 0, undefined],
  ])('are read %s', async (_, range, status, from, to) => {
    const hotspot = await joinHotspot();
    const expected = await recorder.flash.read(record.sessionId, 0, 480_000);
    const response = await get(hotspot, `/sessions/${record.sessionId}`, { Range: range });
    expect(response.status).toBe(status);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(expected.subarray(from, to))).toBe(true);
  });

  test('are not read beyond their end or after a change', async () => {
    const hotspot = await joinHotspot();
    const path = `/sessions/${record.sessionId}`;
    const responseBeyondEnd = await get(hotspot, path, { Range: 'bytes=480000-' });
    expect(responseBeyondEnd.status).toBe(416);
    expect(responseBeyondEnd.headers.get('content-range')).toBe('bytes */480000');
    const other = await get(hotspot, path, { Range: 'bytes=1600-', 'If-Range': '"other"' });
    expect(other.status).toBe(200);
    expect((await other.arrayBuffer()).byteLength).toBe(480_000);
    expect((await get(hotspot, '/sessions/99')).status).toBe(404);
    expect((await get(hotspot, '/else')).status).toBe(404);
  });

  test('require the token of this hotspot', async () => {
    const first = await joinHotspot();
    await recorder.wifi.stop();
    session = await connect();
    const secondHotspot = await joinHotspot();
    for (const token of ['', 'nonsense', first.token]) {
      expect((await get({ ...secondHotspot, token }, '/sessions')).status).toBe(401);
    }
  });

  test('are deleted, except the one being recorded', async () => {
    const hotspot = await joinHotspot();
    const remove = (id: number) =>
      fetch(`${hotspot.origin}/sessions/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${hotspot.token}` },
      });
    expect((await remove(record.sessionId)).status).toBe(204);
    expect((await remove(record.sessionId)).status).toBe(404);
    expect(recorder.flash.sessions()).toEqual([]);
  });

  test.each([0, 1, 160_001, 479_999])(
    'are interrupted after %d bytes and resume',
    async (bytes) => {
      const hotspot = await joinHotspot();
      recorder.faults.wifiVanishAfterBytes = bytes;
      const response = await get(hotspot, `/sessions/${record.sessionId}`).catch(() => null);
      await expect(
        response ? response.arrayBuffer() : Promise.reject(new Error('cut')),
      ).rejects.toThrow();
      await until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');
      session = await connect();
      const parts: Uint8Array[] = [];
      await session.readSession(record.sessionId, 0, {
        onChunk: async (_, chunk) => {
          parts.push(chunk);
        },
      });
      expect(sha256(Buffer.concat(parts))).toBe(record.closed?.sha256);
    },
  );
});

describe('a session over HTTP', () => {
  /** Creates a store for received chunks, which must arrive in order. */
  function store() {
    const parts: Uint8Array[] = [];
    const bytes = () => Buffer.concat(parts);
    return {
      bytes,
      chunks: () => Math.floor(bytes().length / 1600),
      options: {
        onChunk: async (index: number, chunks: Uint8Array) => {
          expect(index * 1600).toBe(bytes().length);
          parts.push(chunks);
        },
      },
    };
  }

  test.each([0, 1, 160, 299, 300])('is read from chunk %d to its end', async (from) => {
    const hotspot = await joinHotspot();
    const { bytes, options } = store();
    const expected = await recorder.flash.read(record.sessionId, 0, 480_000);
    const digest = await readSessionOverHttp(hotspot, record.sessionId, from, {
      onChunk: (index, chunks) => options.onChunk(index - from, chunks),
    });
    expect(bytes().equals(expected.subarray(from * 1600))).toBe(true);
    expect(digest.fileSize).toBe(480_000);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(record.closed?.sha256);
  });

  test('can be read after its short last chunk, as over Bluetooth', async () => {
    const shortSession = await recorder.addSession(new Int16Array(16 * 20 * 15), {
      startTime: 2,
      mode: 'normal',
      scene: 'note',
    });
    const hotspot = await joinHotspot();
    const { bytes, options } = store();
    const digest = await readSessionOverHttp(hotspot, shortSession.sessionId, 2, options);
    expect(digest.fileSize).toBe(15 * 160);
    expect(bytes()).toHaveLength(0);
    expect(await code(readSessionOverHttp(hotspot, shortSession.sessionId, 3, options))).toBe(
      'chunk_out_of_range',
    );
  });

  test('is stored in order while the next batch is received', async () => {
    const hotspot = await joinHotspot();
    const log: string[] = [];
    const { bytes, options } = store();
    await readSessionOverHttp(hotspot, record.sessionId, 0, {
      onChunk: async (index, chunks) => {
        log.push(`begins at ${index}`);
        await new Promise((resolve) => recorder.clock.after(1000, () => resolve(undefined)));
        await options.onChunk(index, chunks);
        log.push(`ends at ${index + chunks.length / 1600}`);
      },
    });
    expect(log).toEqual(['begins at 0', 'ends at 160', 'begins at 160', 'ends at 300']);
    expect(sha256(bytes())).toBe(record.closed?.sha256);
  });

  test('rejects with the error from onChunk', async () => {
    const hotspot = await joinHotspot();
    const requestedIndexes: number[] = [];
    const diskFull = new Error('disk full');
    const reading = readSessionOverHttp(hotspot, record.sessionId, 0, {
      onChunk: async (index) => {
        requestedIndexes.push(index);
        throw diskFull;
      },
    });
    await expect(reading).rejects.toBe(diskFull);
    expect(requestedIndexes).toEqual([0]);
  });

  test('is refused with the matching code', async () => {
    const hotspot = await joinHotspot();
    const { options } = store();
    const read = (place: OpenHotspot, id: number, from: number, signal?: AbortSignal) =>
      code(readSessionOverHttp(place, id, from, { ...options, ...(signal && { signal }) }));
    expect(await read({ ...hotspot, token: 'nonsense' }, record.sessionId, 0)).toBe(
      'token_refused',
    );
    expect(await read(hotspot, 99, 0)).toBe('session_unknown');
    expect(await read(hotspot, record.sessionId, 301)).toBe('chunk_out_of_range');
    expect(await read(hotspot, record.sessionId, 0, AbortSignal.abort())).toBe('aborted');
    await recorder.wifi.stop();
    expect(await read(hotspot, record.sessionId, 0)).toBe('link_lost');
  });

  test('resumes over Bluetooth after the network stopped at any byte', async () => {
    const cuts = [0, 1, 1599, 1600, 255_999, 256_000, 256_001, 300_000, 479_999];
    for (const cut of cuts) {
      const hotspot = await joinHotspot();
      recorder.faults.wifiVanishAfterBytes = cut;
      const { bytes, chunks, options } = store();
      const brokenRead = readSessionOverHttp(hotspot, record.sessionId, 0, options);
      expect(await code(brokenRead)).toBe('link_lost');
      await until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');
      expect(bytes().length % 1600).toBe(0);
      session = await connect();
      await session.readSession(record.sessionId, chunks(), options);
      expect(sha256(bytes())).toBe(record.closed?.sha256);
    }
    console.info(JSON.stringify({ missingNetworks: cuts.length, lostBytes: 0, readTwice: 0 }));
  });

  /** Reads over Bluetooth up to this chunk, then requests the network. */
  async function beginOverBluetooth(to: number, { onChunk }: ReturnType<typeof store>['options']) {
    const enough = new Error('enough');
    const reading = session.readSession(record.sessionId, 0, {
      onChunk: async (index, chunk) => {
        await onChunk(index, chunk);
        if (index + 1 === to) throw enough;
      },
    });
    await expect(reading).rejects.toBe(enough);
    return openVersion1Hotspot([record.sessionId]);
  }

  test('resumes over Bluetooth when the hotspot rejects the phone', async () => {
    const { bytes, chunks, options } = store();
    const hotspot = await beginOverBluetooth(100, options);
    recorder.faults.wifiDenied = true;
    expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(false);
    const denied = readSessionOverHttp(hotspot, record.sessionId, chunks(), options);
    expect(await code(denied)).toBe('link_lost');
    await until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');
    session = await connect();
    expect(chunks()).toBe(100);
    await session.readSession(record.sessionId, 100, options);
    expect(sha256(bytes())).toBe(record.closed?.sha256);
  });

  test('continues over Wi-Fi when the phone joins after half a minute', async () => {
    const { bytes, chunks, options } = store();
    const hotspot = await beginOverBluetooth(100, options);
    const requestedAt = recorder.clock.elapsed();
    await until(() => recorder.clock.elapsed() >= requestedAt + 30_000, 'half a minute has passed');
    expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(true);
    await readSessionOverHttp(hotspot, record.sessionId, chunks(), options);
    expect(sha256(bytes())).toBe(record.closed?.sha256);
  });
});

describe('the protocol over Wi-Fi', () => {
  const connectOverWifi = (hotspot: OpenHotspot) =>
    openWifi(hotspot, { deviceId: session.info.sn });

  test('reads and deletes a session as over Bluetooth', async () => {
    const hotspot = await joinHotspot();
    session = await openRecorderSession(await connectOverWifi(hotspot));
    const parts: Uint8Array[] = [];
    const { sha256: hash } = await session.readSession(record.sessionId, 0, {
      onChunk: async (_, chunk) => {
        parts.push(chunk);
      },
    });
    const bytes = Buffer.concat(parts);
    expect(sha256(bytes)).toBe(record.closed?.sha256);
    expect(Buffer.from(hash).toString('hex')).toBe(sha256(bytes));
    await session.deleteSession(record.sessionId);
    expect(await session.listSessions()).toEqual([]);
  });

  test('requires joining and the token', async () => {
    const hotspot = await openVersion1Hotspot([]);
    const refusal = (place: OpenHotspot) => connectOverWifi(place).catch(({ code }) => code);
    expect(await refusal(hotspot)).toBe('connect_failed');
    recorder.wifi.join(hotspot.ssid, hotspot.password);
    expect(await refusal({ ...hotspot, token: 'nonsense' })).toBe('connect_failed');
    expect(await refusal({ ...hotspot, token: 'f'.repeat(32) })).toBe('connect_failed');
    const link = await connectOverWifi(hotspot);
    await link.close();
  });

  test('ends with the network', async () => {
    const hotspot = await joinHotspot();
    const link = await connectOverWifi(hotspot);
    const disconnected = new Promise((resolve) => link.onClosed(resolve));
    await recorder.wifi.stop();
    expect(await disconnected).toBe('link_lost');
  });
});

describe('a shared network', () => {
  const networks = [
    { ssid: 'Far away', rssi: -90, password: null },
    { ssid: 'Nest über den Dächern', rssi: -40, password: 'under the eaves' },
  ];

  test('is found, joined alongside Bluetooth, and left', async () => {
    recorder.faults.networks = networks;
    expect(await session.searchNetworks()).toEqual([
      { ssid: 'Nest über den Dächern', rssi: -40, isSecured: true },
      { ssid: 'Far away', rssi: -90, isSecured: false },
    ]);
    const [, { ssid, password }] = networks as [unknown, { ssid: string; password: string }];
    const access = await session.joinNetwork({ ssid, password });
    const stateEvent = await until(
      () => events.find((event) => event.type === 'wifi_changed' && event.state === 'joined'),
      'network',
    );
    const origin = stateEvent.type === 'wifi_changed' ? (stateEvent.origin ?? '') : '';
    if (access.version !== 1) return expect.fail('a network of version 2');
    expect((await get({ ...access, origin, ssid, password }, '/sessions')).status).toBe(200);
    await session.closeWifi();
    expect(recorder.wifi.status).toBe('off');
    expect(await session.serial()).toBe(session.info.sn);
  });

  test('serves no device when it is left while joining', async () => {
    const clock = new SteppedClock();
    const flash = await Flash.open(join(dir, 'stepped'));
    const stepped = new Recorder(flash, await Firmware.boot(flash), clock, opus, []);
    stepped.faults.networks = networks;
    await stepped.wifi.joinNetwork('Far away', '', null);
    clock.advanceTo(10_000);
    await stepped.wifi.stop();
    // Operations are serialized: when this one has finished, so have all earlier ones.
    await stepped.wifi.startHotspot(null);
    expect(stepped.wifi.status).toBe('hotspot');
    await until(() => servers() === 1, 'only the hotspot’s server is running');
    await stepped.shutDown();
  });

  test.each([
    ['a wrong password', 'Nest über den Dächern', 'wrong'],
    ['an unknown name', 'Elsewhere', ''],
  ])('is not joined with %s', async (_, ssid, password) => {
    recorder.faults.networks = networks;
    await session.joinNetwork({ ssid, password });
    await until(
      () => events.some((event) => event.type === 'wifi_changed' && event.state === 'failed'),
      'the failure is reported',
    );
  });
});
