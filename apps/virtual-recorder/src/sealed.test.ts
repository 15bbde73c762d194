/** Tests protocol version 2 with a complete recorder: authentication, sealed frames, and session ownership. */
import { createHash, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { attestationMessage, Channel, generateKeyPair, hashOwnerTag } from '@linnet/device/channel';
import {
  COMMANDS,
  encodeRequest,
  type Frame,
  FrameDecoder,
  type ProtocolVersion,
} from '@linnet/device/codec';
import {
  DeviceError,
  type Hotspot,
  type OpenSessionOptions,
  openRecorderSession,
  type RecorderSession,
} from '@linnet/device/session';
import { openWifi, WIFI_CLOSE, WIFI_PROTOCOL, type WifiEndpoint } from '@linnet/transports/wifi';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { devicePublicKey } from './device-key.ts';
import { Firmware } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import { PacedClock } from './paced-clock.ts';
import { Recorder } from './recorder.ts';
import { type Interception, type Interceptor, intercept } from './testing/interceptor.ts';
import { connectInMemory } from './testing/memory-radio.ts';
import { createPhoneClock } from './testing/phone-clock.ts';
import { until } from './testing/wait.ts';
import { HOTSPOT_TIMEOUT_MS } from './wifi/wifi.ts';

let opus: OpusModule;
let dir: string;
let recorder: Recorder;
const openSessions: RecorderSession[] = [];
const voice = Int16Array.from({ length: 16_000 * 4 }, (_, n) => 9000 * Math.sin(n / (5 + n / 900)));
const note = { mode: 'normal', scene: 'note' } as const;
const metadata = { startTime: 1000, ...note };
const [myTag, theirTag] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-sealed-'));
  recorder = await startRecorder();
});
afterEach(async () => {
  await Promise.all(openSessions.splice(0).map((session) => session.close()));
  await recorder.shutDown();
  await rm(dir, { recursive: true });
});

/** Starts a recorder with this test's flash image. */
async function startRecorder(protocol?: ProtocolVersion): Promise<Recorder> {
  const flash = await Flash.open(dir);
  return new Recorder(flash, await Firmware.boot(flash), new PacedClock(20), opus, [], protocol);
}

type Binding = OpenSessionOptions['binding'];
const bound = (key: Uint8Array) => ({ status: 'bound', key }) as const;
const toBind = { status: 'new' } as const;
const pass: Interception = (frame) => [frame];

async function connect(binding?: Binding, interceptor?: Interceptor, observed?: Frame[]) {
  const link = connectInMemory(recorder, 244);
  const session = await openRecorderSession(
    interceptor ? intercept(link, interceptor, observed) : link,
    {
      clock: createPhoneClock(recorder.clock),
      ...(binding && { binding }),
    },
  );
  openSessions.push(session);
  return session;
}

/**
 * Binds and claims the recorder for an account.
 * @returns the session, and the key for later sessions
 */
async function bind(ownerTag: Uint8Array, knownKey?: Uint8Array) {
  const session = await connect(toBind);
  const binding = await session.bind(knownKey && { knownKey });
  if (binding.version !== 2) return expect.fail('bound under version 1');
  await session.claim(ownerTag);
  return { session, key: binding.key };
}

const code = (action: Promise<unknown>) =>
  action.then(
    () => 'none',
    (error: unknown) => (error instanceof DeviceError ? error.code : String(error)),
  );
const waitForClose = (session: RecorderSession) =>
  new Promise((resolve) => session.onClosed((reason) => resolve(reason)));
const listSessionIds = async (session: RecorderSession) =>
  (await session.listSessions()).map(({ sessionId }) => sessionId);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function readAll(session: RecorderSession, sessionId: number) {
  const parts: Uint8Array[] = [];
  const onChunk = async (_: number, bytes: Uint8Array) => void parts.push(bytes);
  const digest = await session.readSession(sessionId, 0, { onChunk });
  expect(sha256(Buffer.concat(parts))).toBe(Buffer.from(digest.sha256).toString('hex'));
  return Buffer.concat(parts);
}

describe('a bind', () => {
  test('is confirmed, claimed, and opens later links', async () => {
    recorder.faults.bindConfirm = 'button';
    const session = await connect(toBind);
    expect(session.info).toMatchObject({ protocolVersion: 2, tranVersion: 2, isBind: false });
    expect(await code(session.status())).toBe('out_of_order');
    const binding = session.bind();
    await until(() => recorder.isBindPending, 'a bind is pending');
    await recorder.shortPress();
    const { key } = (await binding) as { key: Uint8Array };
    expect(key).toHaveLength(32);
    expect([recorder.isBound, recorder.isBindPending]).toEqual([false, false]);
    expect(await code(session.status())).toBe('out_of_order');
    await session.claim(myTag);
    expect(await session.status()).toMatchObject({ isBind: true });
    await session.close();

    await recorder.shutDown();
    recorder = await startRecorder();
    const secondSession = await connect(bound(key));
    expect(secondSession.info).toMatchObject({ protocolVersion: 2, isBind: true });
    const { sessionId } = await secondSession.startRecording(note);
    await until(
      () => (recorder.recording?.writer.durableSize ?? 0) >= 16_000,
      'two seconds are recorded',
    );
    const { fileSize } = await secondSession.stopRecording();
    expect(await readAll(secondSession, sessionId)).toHaveLength(fileSize);
    await secondSession.deleteSession(sessionId);
    expect(await listSessionIds(secondSession)).toEqual([]);
  });

  test('sends no readable data', async () => {
    const observed: Frame[] = [];
    const session = await connect(toBind, { toRecorder: pass, toPhone: pass }, observed);
    const { key } = (await session.bind()) as { key: Uint8Array };
    await session.claim(myTag);
    const record = await recorder.addSession(voice, metadata);
    const bytes = await readAll(session, record.sessionId);
    const clear = observed.filter(({ flags }) => flags === 0).map(({ command }) => command);
    const { handshake, agreeKey, openChannel } = COMMANDS;
    const expectedCommands = [handshake, agreeKey, openChannel].flatMap(({ number }) => [
      number,
      number,
    ]);
    // The report of the confirmation is also unsealed.
    expect(clear.toSorted()).toEqual([...expectedCommands, 0x70].toSorted());
    const air = Buffer.concat(observed.map(({ payload }) => payload));
    for (const secret of [myTag, key, bytes.subarray(0, 24)]) {
      expect(air.includes(Buffer.from(secret))).toBe(false);
    }
  });

  test('has no effect without confirmation or claim', async () => {
    const { session, key } = await bind(myTag);
    await session.close();
    recorder.faults.bindConfirm = 'button';
    const refused = await connect(toBind);
    expect(await code(refused.bind())).toBe('bind_refused');
    recorder.faults.bindConfirm = 'auto';
    const unclaimed = await connect(toBind);
    await unclaimed.bind();
    await unclaimed.close();
    expect(await (await connect(bound(key))).status()).toMatchObject({ isBind: true });
  });

  test('requires the long hold on a bound recorder, because shorter presses do not confirm it', async () => {
    const { session, key } = await bind(myTag);
    await session.close();
    recorder.faults.bindConfirm = 'button';
    const otherPhone = await connect(toBind);
    const refused = code(otherPhone.bind());
    await until(() => recorder.isBindPending, 'a bind is pending');
    expect(recorder.confirmMs).toBe(5000);
    for (const button of ['power', 'corner'] as const) await recorder.press(button, 100);
    expect(recorder.isBindPending).toBe(true);
    await recorder.press('power', 2000);
    expect(await refused).toBe('bind_refused');
    await recorder.stop();
    await otherPhone.close();
    expect(await (await connect(bound(key))).status()).toMatchObject({ isBind: true });

    const buyer = await connect(toBind);
    const binding = buyer.bind();
    await until(() => recorder.isBindPending, 'a bind is pending');
    await recorder.press('power', 5000);
    expect(await binding).toMatchObject({ version: 2 });
    await buyer.claim(theirTag);
    expect([recorder.status, await code(connect(bound(key)))]).toEqual(['idle', 'binding_unknown']);
    // Without a pending bind, the hold toggles recording.
    await recorder.press('power', 5000);
    expect(recorder.status).toBe('recording');
  });

  test('is attested only for the claiming account and the owner', async () => {
    const challenge = new Uint8Array(32).fill(9);
    const { sn, deviceKey } = recorder.flash.state;
    const head = Buffer.from('302a300506032b6570032100', 'hex');
    const key = createPublicKey({
      key: Buffer.concat([head, Buffer.from(devicePublicKey(deviceKey), 'hex')]),
      format: 'der',
      type: 'spki',
    });
    const isFor = (signature: Uint8Array, ownerTag: Uint8Array) =>
      verify(null, attestationMessage(sn, hashOwnerTag(ownerTag), challenge), key, signature);

    const session = await connect(toBind);
    expect(await code(session.attest(myTag, challenge))).toBe('out_of_order');
    await session.bind();
    const signature = await session.attest(myTag, challenge);
    expect([isFor(signature, myTag), isFor(signature, theirTag)]).toEqual([true, false]);
    await session.claim(myTag);
    expect(isFor(await session.attest(myTag, challenge), myTag)).toBe(true);
    expect(await code(session.attest(theirTag, challenge))).toBe('out_of_order');
    expect((await Flash.open(dir)).state.deviceKey).toBe(deviceKey);
  });

  test('is canceled when the phone disconnects', async () => {
    recorder.faults.bindConfirm = 'button';
    const session = await connect(toBind);
    const binding = code(session.bind());
    await until(() => recorder.isBindPending, 'a bind is pending');
    await session.close();
    expect(await binding).toBe('link_lost');
    await until(() => !recorder.isBindPending, 'end');
    await recorder.shortPress();
    expect(recorder.flash.state.isBind).toBe(false);
  });

  test('is refused during a recording', async () => {
    await recorder.start(note, 'button');
    const session = await connect(toBind);
    expect(await code(session.bind())).toBe('busy');
    await recorder.stop();
    expect(await code(session.bind())).toBe('none');
  });

  test("needs no confirmation and changes nothing if the phone has the account's key", async () => {
    const { session, key } = await bind(myTag);
    await session.close();
    recorder.faults.bindConfirm = 'button';
    const secondBind = await bind(myTag, key);
    expect(secondBind.key).toEqual(key);
    expect(await secondBind.session.status()).toMatchObject({ isBind: true });
    expect(await code(secondBind.session.claim(theirTag))).toBe('out_of_order');
  });

  test('agrees on a new key if the phone has an outdated key', async () => {
    const { session, key } = await bind(myTag);
    await session.unbind();
    const secondBind = await bind(myTag, key);
    expect(secondBind.key).not.toEqual(key);
    expect(await code(connect(bound(key)))).toBe('binding_unknown');
  });

  test('is refused on a version 2 link if it is a version 1 bind', async () => {
    const { session } = await bind(myTag);
    expect(await code(session.bind())).toBe('out_of_order');
  });
});

describe('versions', () => {
  test('a version 2 phone binds a version 1 recorder', async () => {
    await recorder.shutDown();
    recorder = await startRecorder(1);
    const session = await connect(toBind);
    expect(session.info).toMatchObject({ protocolVersion: 1, tranVersion: 1 });
    expect(await session.bind()).toEqual({ version: 1 });
    expect((await session.status()).isBind).toBe(true);
    expect(await code(connect(bound(randomBytes(32))))).toBe('version_unsupported');
  });

  test('a version 1 phone binds a recorder that is not bound under version 2', async () => {
    const session = await connect();
    expect(session.info).toMatchObject({ protocolVersion: 1, tranVersion: 2 });
    expect(await session.bind()).toEqual({ version: 1 });
    const { sessionId } = await session.startRecording(note);
    await session.stopRecording();
    expect(await listSessionIds(session)).toEqual([sessionId]);
    expect(await code(connect(bound(randomBytes(32))))).toBe('binding_unknown');
  });

  test('version 1 is refused after a bind under version 2, until the bindings are cleared', async () => {
    const { session } = await bind(myTag);
    expect(await code(connect())).toBe('version_unsupported');
    await session.close();
    await recorder.press('corner', 3000);
    expect(recorder.power.state).toBe('off');
    await recorder.press('corner', 3000);
    await recorder.press('power', 100);
    const oldSession = await connect();
    expect(oldSession.info).toMatchObject({ protocolVersion: 1, isBind: false });
    expect(await oldSession.bind()).toEqual({ version: 1 });
  });

  test("version 1 is accepted after the owner's unbind", async () => {
    const { session, key } = await bind(myTag);
    await session.unbind();
    expect(await code(connect(bound(key)))).toBe('binding_unknown');
    expect(await code(connect())).toBe('none');
  });

  test('a downgrade is rejected by phone and recorder', async () => {
    const onlyOld: Interception = (frame) => {
      const isHandshake = frame.command === COMMANDS.handshake.number && frame.kind === 'request';
      return [isHandshake ? { ...frame, payload: Uint8Array.of(1, 1) } : frame];
    };
    const interceptor = { toRecorder: onlyOld, toPhone: pass };
    expect(await code(connect(toBind, interceptor))).toBe('version_unsupported');
    const { key, session } = await bind(myTag);
    await session.close();
    expect(await code(connect(bound(key), interceptor))).toBe('version_unsupported');
  });

  test('a modified handshake opens no channel', async () => {
    const { key, session } = await bind(myTag);
    await session.close();
    const toRecorder: Interception = (frame) => {
      const isHandshake = frame.command === COMMANDS.handshake.number;
      return [isHandshake ? { ...frame, payload: Uint8Array.of(2, 2) } : frame];
    };
    expect(await code(connect(bound(key), { toRecorder, toPhone: pass }))).toBe('binding_unknown');
  });
});

describe('keys', () => {
  test('a wrong key is refused and the owner stays connected', async () => {
    const { key, session } = await bind(myTag);
    await session.close();
    expect(await code(connect(bound(randomBytes(32))))).toBe('binding_unknown');
    expect(await code(connect(bound(key)))).toBe('none');
  });

  test('a key is unknown after the bindings are cleared', async () => {
    const { key, session } = await bind(myTag);
    await session.close();
    await recorder.flash.saveState({ isBind: false, binding: null });
    expect(await code(connect(bound(key)))).toBe('binding_unknown');
  });

  test('a phone that relays the proof without the key is disconnected at its first record', async () => {
    const { session } = await bind(myTag);
    await session.close();
    const link = connectInMemory(recorder, 244);
    const disconnected = new Promise((resolve) => link.onClosed(resolve));
    const decoder = new FrameDecoder();
    let answers = 0;
    link.onBytes((bytes) => {
      answers += decoder.push(bytes).length;
    });
    // The phone ignores the proof and seals with an unrelated key.
    const write = (frame: Uint8Array) => link.write(frame, { withResponse: true });
    await write(encodeRequest('handshake', { minVersion: 1, maxVersion: 2 }, 1));
    await write(encodeRequest('openChannel', { publicKey: generateKeyPair().publicKey }, 2));
    await until(() => answers === 2, 'responses');
    const keys = { phoneToRecorder: randomBytes(32), recorderToPhone: randomBytes(32) };
    await write(new Channel('phone', keys).seal(encodeRequest('status', {}, 3)));
    expect(await disconnected).toBe('link_lost');
  });
});

describe('sealed frames', () => {
  let key: Uint8Array;
  beforeEach(async () => {
    const first = await bind(myTag);
    ({ key } = first);
    await first.session.close();
  });

  /** Opens a session with an interceptor that initially passes all frames. */
  async function connectThroughInterceptor() {
    const interceptor: Interceptor = { toRecorder: pass, toPhone: pass };
    return { session: await connect(bound(key), interceptor), interceptor };
  }

  const reordered: Frame[] = [];
  const flipBit = (frame: Frame, at: number) => {
    const payload = frame.payload.slice();
    payload[at] = (payload[at] ?? 0) ^ 4;
    return { ...frame, payload };
  };
  const interceptions: Record<string, () => Interception> = {
    'is replayed': () => (frame) => [frame, frame],
    'has one bit flipped': () => (frame) => [flipBit(frame, frame.payload.length - 20)],
    'has a different number': () => (frame) => [flipBit(frame, 0)],
    'has no tag': () => (frame) => [{ ...frame, payload: frame.payload.subarray(0, -16) }],
    'has a different sequence': () => (frame) => [{ ...frame, sequence: frame.sequence ^ 1 }],
    'is reordered': () => (frame) => {
      reordered.push(frame);
      return reordered.length < 2 ? [] : reordered.splice(0).reverse();
    },
    'is unsealed': () => (frame) => [{ ...frame, version: 1, flags: 0 }],
  };

  test.each(Object.entries(interceptions))(
    'a response that %s closes the link',
    async (_, wrong) => {
      reordered.length = 0;
      const { session, interceptor } = await connectThroughInterceptor();
      const disconnected = waitForClose(session);
      interceptor.toPhone = wrong();
      // Reordering needs a second response. The first request may time out.
      const outcomes = [code(session.status()), code(session.status()), code(session.status())];
      expect(await disconnected).toBe('link_lost');
      expect(await Promise.all(outcomes)).toContain('channel_broken');
    },
  );

  test.each(Object.entries(interceptions))(
    'a request that %s closes the link',
    async (_, wrong) => {
      reordered.length = 0;
      const { session, interceptor } = await connectThroughInterceptor();
      const disconnected = waitForClose(session);
      interceptor.toRecorder = wrong();
      const outcomes = [code(session.status()), code(session.status())];
      expect(await disconnected).toBe('link_lost');
      expect(await Promise.all(outcomes)).toContain('link_lost');
    },
  );

  test('reflected frames are rejected', async () => {
    const { session, interceptor } = await connectThroughInterceptor();
    const disconnected = waitForClose(session);
    const echoes: Frame[] = [];
    interceptor.toRecorder = (frame) => {
      echoes.push({ ...frame, kind: 'response' });
      return [frame];
    };
    interceptor.toPhone = () => echoes.splice(0);
    expect(await code(session.status())).toBe('channel_broken');
    expect(await disconnected).toBe('link_lost');
  });

  test("another link's records are rejected", async () => {
    const sentFrames: Frame[] = [];
    const first = await connect(bound(key), { toRecorder: pass, toPhone: pass }, sentFrames);
    await first.startRecording(note);
    await first.stopRecording();
    await first.close();
    const start = sentFrames.find(({ command }) => command === COMMANDS.recordStart.number);
    if (!start) return expect.fail('nothing to replay');
    const { session, interceptor } = await connectThroughInterceptor();
    const disconnected = waitForClose(session);
    interceptor.toRecorder = () => [start];
    session.status().catch(() => undefined);
    expect(await disconnected).toBe('link_lost');
    expect(recorder.status).toBe('idle');
  });

  test('a lost request or response causes a timeout but keeps the link', async () => {
    const { session, interceptor } = await connectThroughInterceptor();
    for (const direction of ['toRecorder', 'toPhone'] as const) {
      let frameCount = 0;
      interceptor[direction] = (frame) => (frameCount++ === 0 ? [] : [frame]);
      expect(await code(session.status())).toBe('timeout');
      expect(await code(session.status())).toBe('none');
    }
  });

  test('a bit error in a chunk causes its retransmission', async () => {
    const { session } = await connectThroughInterceptor();
    const record = await recorder.addSession(voice, metadata);
    recorder.faults.corruptAfterBytes = 20_000;
    const bytes = await readAll(session, record.sessionId);
    expect(recorder.faults.corruptAfterBytes).toBeUndefined();
    expect(sha256(bytes)).toBe(record.closed?.sha256);
  });

  test.each(['phone', 'recorder'])(
    'a link closes when the %s exhausts its record numbers, and the next one opens',
    async (side) => {
      const { seal } = Channel.prototype;
      const channels = new Set<Channel>();
      const spy = vi.spyOn(Channel.prototype, 'seal').mockImplementation(function (
        this: Channel,
        frame,
      ) {
        channels.add(this);
        return seal.call(this, frame);
      });
      const session = await connect(bound(key));
      spy.mockRestore();
      // The phone's channel is the first to seal a frame.
      const [phones, recorders] = channels;
      const spent = (side === 'phone' ? phones : recorders) ?? expect.fail('no channel');
      Reflect.set(spent, 'lastSent', 0xffff_ffff);
      const disconnected = waitForClose(session);
      expect(await code(session.status())).toBe('link_lost');
      expect(await disconnected).toBe('link_lost');
      expect(await code(connect(bound(key)))).toBe('none');
    },
  );

  test('a transfer resumes without loss after the link breaks at any byte', async () => {
    const record = await recorder.addSession(voice, metadata);
    const parts: Uint8Array[] = [];
    const onChunk = async (index: number, bytes: Uint8Array) => {
      expect(index).toBe(parts.length);
      parts.push(bytes);
    };
    for (const bytes of [1, 1636, 5000, 12_345]) {
      const session = await connect(bound(key));
      recorder.faults.dropAfterBytes = bytes;
      const outcome = code(session.readSession(record.sessionId, parts.length, { onChunk }));
      expect(await outcome).toBe('link_lost');
    }
    const last = await connect(bound(key));
    await last.readSession(record.sessionId, parts.length, { onChunk });
    expect(sha256(Buffer.concat(parts))).toBe(record.closed?.sha256);
  });
});

describe('after a bind by another account', () => {
  test("the previous owner's sessions are hidden, kept, and visible again to that owner", async () => {
    const first = await bind(myTag);
    const record = await recorder.addSession(voice, metadata);
    const { sessionId } = record;
    expect(await listSessionIds(first.session)).toEqual([sessionId]);
    const ended = waitForClose(first.session);
    const secondBind = await bind(theirTag);
    expect(await ended).toBe('link_lost');

    expect(await code(connect(bound(first.key)))).toBe('binding_unknown');
    const { session } = secondBind;
    expect(await session.status()).toMatchObject({ sessionCount: 0 });
    expect(await listSessionIds(session)).toEqual([]);
    expect(await code(readAll(session, sessionId))).toBe('session_unknown');
    expect(await code(session.deleteSession(sessionId))).toBe('session_unknown');
    expect(await code(session.openHotspot([sessionId]))).toBe('session_unknown');
    const { totalSpace, free } = (await session.status()).storage;
    expect(totalSpace - free).toBeGreaterThan((record.closed?.fileSize ?? 0) - 2048);
    const ownSession = await recorder.addSession(voice, metadata);
    expect(await listSessionIds(session)).toEqual([ownSession.sessionId]);

    const thirdBind = await bind(myTag);
    expect(await listSessionIds(thirdBind.session)).toEqual([sessionId]);
    expect(sha256(await readAll(thirdBind.session, sessionId))).toBe(record.closed?.sha256);
  });

  test("the previous owner's sessions are hidden over Wi-Fi", async () => {
    const first = await bind(myTag);
    const record = await recorder.addSession(voice, metadata);
    await first.session.close();
    const { session, key } = await bind(theirTag);
    const ownSession = await recorder.addSession(voice, metadata);
    const disconnected = waitForClose(session);
    const hotspot = await session.openHotspot([]);
    expect(recorder.wifi.join(hotspot.ssid, hotspot.password)).toBe(true);
    await disconnected;
    const wifi = await connectOverWifi(hotspot, key);
    expect(await listSessionIds(wifi)).toEqual([ownSession.sessionId]);
    expect(await code(wifi.deleteSession(record.sessionId))).toBe('session_unknown');
    expect(await readAll(wifi, ownSession.sessionId)).not.toHaveLength(0);
    expect(recorder.flash.session(record.sessionId)).toBeDefined();
  });

  test("the previous owner's network is left", async () => {
    const first = await bind(myTag);
    recorder.faults.networks = [{ ssid: 'Nest', rssi: -50, password: null }];
    await first.session.joinNetwork({ ssid: 'Nest', password: '' });
    await until(() => recorder.wifi.status === 'joined', 'network');
    await bind(theirTag);
    expect(recorder.wifi.status).toBe('off');
  });

  test("the previous owner's network is left when the bindings are cleared", async () => {
    const first = await bind(myTag);
    recorder.faults.networks = [{ ssid: 'Nest', rssi: -50, password: null }];
    const access = await first.session.joinNetwork({ ssid: 'Nest', password: '' });
    await until(() => recorder.wifi.status === 'joined', 'network');
    const network = { ...access, origin: `http://127.0.0.1:${recorder.wifi.httpAddress.port}` };
    const wifi = await connectOverWifi(network, first.key);
    const ended = waitForClose(wifi);
    await recorder.binding.unbind();
    expect(recorder.wifi.status).toBe('off');
    expect(await ended).toBe('link_lost');
    await expect(openWifi(network, { deviceId: 'phone' })).rejects.toThrow();
  });

  test('sessions without an owner are assigned to the next account', async () => {
    const oldSession = await connect();
    await oldSession.bind();
    const before = await recorder.addSession(voice, metadata);
    const { session } = await bind(myTag);
    expect(await listSessionIds(session)).toEqual([before.sessionId]);
    const other = await bind(theirTag);
    expect(await listSessionIds(other.session)).toEqual([]);
    await other.session.unbind();
    const unowned = await recorder.addSession(voice, metadata);
    expect(await listSessionIds(await connect())).toEqual([unowned.sessionId]);
    const back = await bind(myTag);
    expect(await listSessionIds(back.session)).toEqual([before.sessionId, unowned.sessionId]);
  });
});

describe('over the hotspot', () => {
  /** Opens the hotspot and joins it from a phone. */
  async function joinHotspot(session: RecorderSession): Promise<Hotspot> {
    const disconnected = waitForClose(session);
    const hotspot = await session.openHotspot([]);
    recorder.wifi.join(hotspot.ssid, hotspot.password);
    await disconnected;
    return hotspot;
  }
  const waitForHotspotStop = () =>
    until(() => recorder.wifi.status === 'off', 'the hotspot has stopped');

  test('only the binding key opens a channel', async () => {
    const { session, key } = await bind(myTag);
    const record = await recorder.addSession(voice, metadata);
    await session.close();
    const over = async (binding?: Binding) => {
      const hotspot = await joinHotspot(await connect(bound(key)));
      const link = await openWifi(hotspot, { deviceId: 'phone' });
      const opened = await openRecorderSession(link, binding ? { binding } : {});
      openSessions.push(opened);
      return opened;
    };
    expect(await code(over())).toBe('version_unsupported');
    await waitForHotspotStop();
    expect(await code(over(bound(randomBytes(32))))).toBe('binding_unknown');
    await waitForHotspotStop();
    const toBeBound = await over(toBind);
    expect(await code(toBeBound.bind())).toBe('wifi_mode');
    await toBeBound.close();
    await waitForHotspotStop();
    const wifi = await over(bound(key));
    expect(sha256(await readAll(wifi, record.sessionId))).toBe(record.closed?.sha256);
    const ended = waitForClose(wifi);
    await wifi.unbind();
    expect(await ended).toBe('link_lost');
    expect(recorder.wifi.status).toBe('off');
  });

  test('HTTP serves nothing, even with the secret', async () => {
    const { session } = await bind(myTag);
    const record = await recorder.addSession(voice, metadata);
    const hotspot = await joinHotspot(session);
    const bytes = hotspot.version === 2 ? hotspot.secret : hotspot.token;
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['GET', `/sessions/${record.sessionId}`],
      ['DELETE', `/sessions/${record.sessionId}`],
      ['POST', '/done'],
      ['GET', '/link'],
      ['GET', '/'],
    ] as const) {
      for (const headers of [{}, { Authorization: `Bearer ${bytes}` }]) {
        const { status } = await fetch(`${hotspot.origin}${path}`, { method, headers });
        expect([method, path, status]).toEqual([method, path, 403]);
      }
    }
    expect(recorder.wifi.status).toBe('hotspot');
    expect(recorder.flash.session(record.sessionId)).toBeDefined();
  });

  test('captured traffic contains neither the secret nor session bytes', async () => {
    const { session, key } = await bind(myTag);
    const record = await recorder.addSession(voice, metadata);
    const hotspot = await joinHotspot(session);
    const tap = await listenBetween(hotspot.origin);
    const network = { ...hotspot, origin: tap.origin };
    const wifi = await connectOverWifi(network, key);
    const bytes = await readAll(wifi, record.sessionId);
    const secret = hotspot.version === 2 ? hotspot.secret : hotspot.token;
    const observed = tap.observed();
    expect(observed.length).toBeGreaterThan(bytes.length);
    expect(observed.includes('linnet2')).toBe(true);
    expect(observed.includes(secret)).toBe(false);
    expect(observed.includes(Buffer.from(secret, 'hex'))).toBe(false);
    for (let offset = 0; offset + 160 <= bytes.length; offset += 160) {
      expect(observed.includes(bytes.subarray(offset, offset + 160))).toBe(false);
    }
    await wifi.close();
    await tap.close();
  });

  test('the secret opens one link, after which Bluetooth returns', async () => {
    const { session, key } = await bind(myTag);
    const hotspot = await joinHotspot(session);
    const wifi = await connectOverWifi(hotspot, key);
    const { origin } = hotspot;
    const secondSocket = await connectSocket(origin);
    expect(await secondSocket.closedWith).toBe(WIFI_CLOSE.used);
    expect(await wifi.serial()).toBe(wifi.info.sn);
    await wifi.close();
    await waitForHotspotStop();
    await expect(openWifi(hotspot, { deviceId: 'phone' })).rejects.toThrow();
    expect(await (await connect(bound(key))).status()).toMatchObject({ isBind: true });
  });

  test('only the first of two proofs is accepted', async () => {
    const { session } = await bind(myTag);
    const hotspot = await joinHotspot(session);
    const secret = Buffer.from(hotspot.version === 2 ? hotspot.secret : '', 'hex');
    const [first, second] = [
      await connectSocket(hotspot.origin),
      await connectSocket(hotspot.origin),
    ];
    expect(first.challenge).not.toBe(second.challenge);
    const proofs = [first, second].map(({ challenge }) => recorderProof(secret, challenge));
    // A proof for another link's challenge is rejected.
    const thirdSocket = await connectSocket(hotspot.origin);
    thirdSocket.socket.send(proofs[0] ?? '');
    expect(await thirdSocket.closedWith).toBe(WIFI_CLOSE.refused);
    first.socket.send(proofs[0] ?? '');
    await until(() => first.texts.length === 2, 'link');
    expect(first.texts[1]).toBe('{"connected":true}');
    second.socket.send(proofs[1] ?? '');
    expect(await second.closedWith).toBe(WIFI_CLOSE.used);
    first.socket.close();
    await waitForHotspotStop();
  });

  test.each([
    ['a wrong proof', (socket: WebSocket) => socket.send('0'.repeat(64))],
    ['a frame', (socket: WebSocket) => socket.send(encodeRequest('serial', {}, 1))],
    ['an empty text', (socket: WebSocket) => socket.send('')],
  ])('%s closes the socket and leaves the secret valid', async (_, say) => {
    const { session, key } = await bind(myTag);
    const hotspot = await joinHotspot(session);
    const otherPhone = await connectSocket(hotspot.origin);
    say(otherPhone.socket);
    expect(await otherPhone.closedWith).toBe(WIFI_CLOSE.refused);
    expect(otherPhone.texts).toHaveLength(1);
    const wifi = await connectOverWifi(hotspot, key);
    expect(await wifi.serial()).toBe(wifi.info.sn);
  });

  test('a socket without a proof is closed after ten seconds', async () => {
    const waiting: { ms: number; callback: () => void }[] = [];
    const { session } = await bind(myTag);
    recorder.phoneTime = {
      after(ms, callback) {
        waiting.push({ ms, callback });
        return () => undefined;
      },
    };
    const hotspot = await joinHotspot(session);
    const silentSocket = await connectSocket(hotspot.origin);
    const [deadline] = waiting;
    expect(deadline?.ms).toBe(10_000);
    deadline?.callback();
    expect(await silentSocket.closedWith).toBe(WIFI_CLOSE.late);
  });

  test('unauthenticated connections do not keep the hotspot up', async () => {
    const { session } = await bind(myTag);
    const hotspot = await joinHotspot(session);
    const otherPhone = await connectSocket(hotspot.origin);
    const startMs = recorder.clock.elapsed();
    await until(() => {
      recorder.wifi.join(hotspot.ssid, hotspot.password);
      return recorder.wifi.status === 'off';
    }, 'the hotspot has stopped');
    expect(recorder.clock.elapsed() - startMs).toBeLessThan(2 * HOTSPOT_TIMEOUT_MS);
    await otherPhone.closedWith;
  });

  test.each([WIFI_PROTOCOL, undefined])('subprotocol %s is rejected', async (protocol) => {
    const { session } = await bind(myTag);
    const hotspot = await joinHotspot(session);
    const bytes = hotspot.version === 2 ? hotspot.secret : hotspot.token;
    const offered = protocol === undefined ? [] : [protocol, bytes];
    const socket = new WebSocket(new URL('/link', hotspot.origin), offered);
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('401');
  });

  test('each secret opens one link on a shared network', async () => {
    const { session, key } = await bind(myTag);
    recorder.faults.networks = [{ ssid: 'Nest', rssi: -50, password: null }];
    const join = async () => {
      const access = await session.joinNetwork({ ssid: 'Nest', password: '' });
      await until(() => recorder.wifi.status === 'joined', 'network');
      return { ...access, origin: `http://127.0.0.1:${recorder.wifi.httpAddress.port}` };
    };
    const network = await join();
    const wifi = await connectOverWifi(network, key);
    const ended = waitForClose(wifi);
    await wifi.close();
    await ended;
    expect(await (await connectSocket(network.origin)).closedWith).toBe(WIFI_CLOSE.used);
    expect(recorder.wifi.status).toBe('joined');
    const secondSession = await connectOverWifi(await join(), key);
    expect(await secondSession.serial()).toBe(secondSession.info.sn);
    await session.closeWifi();
  });
});

/** Opens a channel over the recorder's network. */
async function connectOverWifi(place: WifiEndpoint, key: Uint8Array): Promise<RecorderSession> {
  const link = await openWifi(place, { deviceId: 'phone' });
  const opened = await openRecorderSession(link, { binding: bound(key) });
  openSessions.push(opened);
  return opened;
}

/** Connects to `/link` like a phone, and waits for the challenge or the close. */
async function connectSocket(origin: string) {
  const socket = new WebSocket(new URL('/link', origin), 'linnet2');
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => texts.push(data.toString()));
  const ended = Promise.withResolvers<number>();
  let isOver = false;
  socket.on('close', (closeCode: number) => {
    isOver = true;
    ended.resolve(closeCode);
  });
  await until(() => texts.length > 0 || isOver, "the recorder's first message is received");
  const { challenge = '' } = JSON.parse(texts[0] ?? '{}') as { challenge?: string };
  return { socket, texts, challenge, closedWith: ended.promise };
}

/** Computes the proof as PROTOCOL.md describes it, independently of the implementation. */
function recorderProof(secret: Buffer, challenge: string): string {
  const label = Buffer.from('Linnet WiFi 2'.padEnd(16, '\0'));
  const message = Buffer.concat([label, Buffer.from(challenge, 'hex')]);
  return createHmac('sha256', secret).update(message).digest('hex');
}

/** Starts a proxy between phone and server that records the traffic. */
async function listenBetween(origin: string) {
  const observed: Buffer[] = [];
  const server = createServer((phone) => {
    const recorderSide = connectTcp(Number(new URL(origin).port), '127.0.0.1');
    for (const [from, to] of [
      [phone, recorderSide],
      [recorderSide, phone],
    ] as const) {
      from.on('data', (bytes: Buffer) => observed.push(bytes));
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    observed: () => Buffer.concat(observed),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
