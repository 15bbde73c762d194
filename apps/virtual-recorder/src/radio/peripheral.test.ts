/** Tests requests from faulty or malicious phones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { generateKeyPair } from '@linnet/device/channel';
import { decodeReport, encodeStream, FIXED_TOKEN } from '@linnet/device/codec';
import { openRecorderSession } from '@linnet/device/session';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Firmware } from '../flash/firmware.ts';
import { Flash } from '../flash/flash.ts';
import { PacedClock } from '../paced-clock.ts';
import { Recorder } from '../recorder.ts';
import { connectInMemory } from '../testing/memory-radio.ts';
import { createPhoneClock } from '../testing/phone-clock.ts';
import { RawPhone } from '../testing/raw-phone.ts';
import { SteppedClock } from '../testing/stepped-clock.ts';
import { until } from '../testing/wait.ts';

let opus: OpusModule;
let dir: string;
let recorder: Recorder;
const voice = Int16Array.from(
  { length: 16_000 * 60 },
  (_, n) => 9000 * Math.sin(n / (5 + n / 900)),
);
const note = { mode: 'normal', scene: 'note' } as const;
const metadata = { startTime: 1000, ...note };
const tag = new Uint8Array(16).fill(1);

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-peripheral-'));
  const flash = await Flash.open(dir);
  recorder = new Recorder(flash, await Firmware.boot(flash), new PacedClock(20), opus, []);
});
afterEach(async () => {
  await recorder.shutDown();
  await rm(dir, { recursive: true });
});

/** Connects a phone that binds and claims the recorder as usual. */
async function owner(ownerTag: Uint8Array) {
  const session = await openRecorderSession(connectInMemory(recorder, 244), {
    clock: createPhoneClock(recorder.clock),
    binding: { status: 'new' },
  });
  await session.bind();
  await session.claim(ownerTag);
  return session;
}

describe('an unclaimed key', () => {
  test("gives no access to the owner's data", async () => {
    await (await owner(tag)).close();
    await recorder.addSession(voice, metadata);
    const phone = new RawPhone(recorder);
    const bindRequest = await phone.requestBind();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the user has decided');
    const channel = await phone.openChannel(bindRequest);
    await recorder.start(note, 'button');
    const again = await phone.send('agreeKey', { publicKey: generateKeyPair().publicKey });
    expect(again.result).toBe('busy');
    const { bytes, sequence } = phone.request('timeSync', { unixTime: 5, timeZone: 0 });
    await phone.write(channel.seal(bytes));
    // The sealed frame belongs to a channel that was discarded with its key.
    const { result } = await phone.responseTo('timeSync', sequence);
    expect(result).toBe('version_unsupported');
    expect((await phone.send('sessionList', { afterSessionId: 0 })).result).toBe('out_of_order');
  });
});

describe('a pending bind of version 1', () => {
  test('is canceled when another phone claims the recorder', async () => {
    recorder.faults.bindConfirm = 'button';
    const oldPhone = new RawPhone(recorder);
    await oldPhone.authenticate();
    const phone = new RawPhone(recorder);
    const bindRequest = await phone.requestBind();
    await recorder.shortPress();
    expect(await oldPhone.send('bind', {})).toEqual({ result: 'ok', state: 'waiting' });
    phone.channel = await phone.openChannel(bindRequest);
    await phone.send('timeSync', { unixTime: 5, timeZone: 0 });
    expect(await phone.send('claim', { ownerTag: tag })).toEqual({ result: 'ok' });
    expect([recorder.isBound, recorder.isBindPending]).toEqual([true, false]);
    await recorder.shortPress();
    expect(recorder.ownership.key).toEqual(bindRequest.key);
  });

  test('has no effect when confirmed while a claim is being stored', async () => {
    recorder.faults.bindConfirm = 'button';
    await recorder.addSession(voice.subarray(0, 3200), metadata);
    const key = new Uint8Array(32).fill(7);
    const claimed = recorder.ownership.claim(key, tag);
    expect(recorder.binding.bind().state).toBe('waiting');
    await claimed;
    await recorder.shortPress();
    expect(recorder.ownership.key).toEqual(key);
  });

  test('is canceled when its phone disconnects', async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    await phone.send('bind', {});
    expect(recorder.isBindPending).toBe(true);
    await phone.link.close();
    await until(() => !recorder.isConnected, 'end');
    expect([recorder.isBound, recorder.isBindPending]).toEqual([false, false]);
    await recorder.shortPress();
    expect(recorder.flash.state.isBind).toBe(false);
  });
});

describe('a bind request on a bound recorder', () => {
  test.each(['the button', 'the phone'])('does not prevent recording with %s', async (by) => {
    const session = await owner(tag);
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    await phone.requestBind();
    expect(recorder.isBindPending).toBe(true);
    expect((await session.status()).isBind).toBe(true);
    if (by === 'the phone') await session.startRecording(note);
    else expect((await recorder.press('power', 2000)).ok).toBe(true);
    expect([recorder.status, recorder.isBindPending]).toEqual(['recording', false]);
    // The requesting phone is notified, and a press no longer confirms the bind.
    const report = await until(
      () => phone.received.find(({ kind }) => kind === 'report'),
      'response',
    );
    expect(decodeReport(report)).toEqual({ name: 'bindChanged', value: { isBind: false } });
    await recorder.shortPress();
    const { publicKey } = generateKeyPair();
    expect((await phone.send('agreeKey', { publicKey })).result).toBe('busy');
    await session.close();
  });
});

describe('a handshake', () => {
  test('ends the current stream', async () => {
    const { sessionId } = await recorder.addSession(voice, metadata);
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    await phone.send('syncFile', { sessionId, fromChunk: 0, window: 400 });
    await phone.send('handshake', { minVersion: 1, maxVersion: 2 });
    const chunks = () => phone.received.filter(({ kind }) => kind === 'stream').length;
    const before = chunks();
    // These requests take more time than sending the rest of the session would.
    for (let n = 0; n < 20; n++) {
      expect((await phone.send('status', {})).result).toBe('out_of_order');
    }
    expect(chunks()).toBe(before);
  });

  test('ends the current firmware transfer', async () => {
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    const image = { fileSize: 168, crc16: 0, version: '1.2.0', signature: new Uint8Array(64) };
    const { bytes, sequence } = phone.request('otaStart', image);
    await phone.write(bytes);
    expect(await phone.responseTo('otaStart', sequence)).toMatchObject({ result: 'ok' });
    const packet = (offset: number) =>
      encodeStream('otaData', { offset, data: new Uint8Array(84) }, sequence);
    await phone.write(packet(0));
    await until(() => recorder.firmware.nextOffset === 84, 'the first packet is stored');
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    await phone.write(packet(84));
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    expect(recorder.firmware.nextOffset).toBe(84);
  });
});

describe('a claim', () => {
  test("is rejected during a recording, and doesn't change the recording's owner", async () => {
    await (await owner(tag)).close();
    const previousOwner = recorder.ownership.owner;
    const phone = new RawPhone(recorder);
    const bindRequest = await phone.requestBind();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the user has decided');
    phone.channel = await phone.openChannel(bindRequest);
    const started = await recorder.start(note, 'button');
    const claim = { ownerTag: tag.map(() => 2) };
    expect(await phone.send('claim', claim)).toEqual({ result: 'busy' });
    expect(recorder.ownership.owner).toBe(previousOwner);
    await recorder.stop();
    expect(await phone.send('claim', claim)).toEqual({ result: 'ok' });
    expect(recorder.flash.sessions()).toMatchObject([{ owner: previousOwner, closed: {} }]);
    expect(
      started.ok && recorder.sessions.isVisible(started.value.sessionId, recorder.ownership.owner),
    ).toBe(false);
  });

  test('blocks recordings and other claims while it is being stored', async () => {
    const link = { medium: 'bluetooth', isTransferring: false } as const;
    const claimed = recorder.binding.claim(new Uint8Array(32).fill(7), tag, link);
    expect(await recorder.start(note, 'button')).toEqual({ ok: false, result: 'busy' });
    expect(await recorder.binding.claim(new Uint8Array(32).fill(8), tag, link)).toEqual({
      ok: false,
      result: 'busy',
    });
    expect(await claimed).toMatchObject({ ok: true });
    expect((await recorder.start(note, 'button')).ok).toBe(true);
  });
});

describe('requests in one write', () => {
  test('are handled in sequence', async () => {
    const { sessionId } = await recorder.addSession(voice.subarray(0, 3200), metadata);
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    const all = [
      phone.request('deleteRecord', { sessionId }),
      phone.request('sessionList', { afterSessionId: 0 }),
    ];
    await phone.write(Buffer.concat(all.map(({ bytes }) => bytes)));
    const [first, second] = all.map(({ sequence }) => sequence) as [number, number];
    expect(await phone.responseTo('sessionList', second)).toMatchObject({
      result: 'ok',
      items: [],
    });
    const answers = phone.received.filter(({ kind }) => kind === 'response');
    expect(answers.slice(-2).map(({ sequence }) => sequence)).toEqual([first, second]);
  });
});

describe('an incomplete frame', () => {
  test('is abandoned after a timeout, and the next request is answered', async () => {
    const phone = new RawPhone(recorder);
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    const half = encodeStream('otaData', { offset: 0, data: new Uint8Array(2000) }, 7).slice(0, 20);
    await phone.write(half);
    // These bytes are too few to complete the frame.
    expect(await phone.send('token', { token: FIXED_TOKEN })).toEqual({ result: 'ok' });
  });
});

describe('the authentication timeout', () => {
  let time: SteppedClock;
  beforeEach(() => {
    time = new SteppedClock();
    recorder.phoneTime = time;
  });
  /** Advances to this second and processes pending closes. */
  async function advanceToSecond(at: number): Promise<void> {
    time.advanceTo(at * 1000 - 1);
    await new Promise(setImmediate);
  }
  const waitForEnd = (phone: RawPhone) => until(() => phone.isClosed, 'the link is closed');

  test('closes a silent link', async () => {
    const phone = new RawPhone(recorder);
    await advanceToSecond(10);
    expect(phone.isClosed).toBe(false);
    await advanceToSecond(10.1);
    await waitForEnd(phone);
    expect(recorder.isConnected).toBe(false);
  });

  test('closes a link without an accepted token, whatever else it sends', async () => {
    const phone = new RawPhone(recorder);
    for (const seconds of [2, 4, 6, 8, 10]) {
      await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
      expect((await phone.send('token', { token: 'not the one here' })).result).toBe(
        'token_refused',
      );
      await phone.write(new Uint8Array(20).fill(0x4c));
      await advanceToSecond(seconds);
    }
    expect(phone.isClosed).toBe(false);
    await advanceToSecond(10.1);
    await waitForEnd(phone);
  });

  test('closes a link that opens channels without the key', async () => {
    await (await owner(tag)).close();
    await until(() => !recorder.isConnected, "close of the owner's link");
    time.advanceTo(100_000);
    const phone = new RawPhone(recorder);
    for (const seconds of [102, 105, 108, 110]) {
      await phone.send('handshake', { minVersion: 1, maxVersion: 2 });
      const { publicKey } = generateKeyPair();
      expect((await phone.send('openChannel', { publicKey })).result).toBe('ok');
      await advanceToSecond(seconds);
    }
    expect(phone.isClosed).toBe(false);
    await advanceToSecond(110.1);
    await waitForEnd(phone);
  });

  test('ends with an accepted token and restarts with a new handshake', async () => {
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    await advanceToSecond(3600);
    expect((await phone.send('serial', {})).result).toBe('ok');
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    await advanceToSecond(3609);
    expect(phone.isClosed).toBe(false);
    await advanceToSecond(3610);
    await waitForEnd(phone);
  });

  test('ends with the first valid record', async () => {
    const session = await owner(tag);
    time.advanceTo(3_600_000);
    await new Promise(setImmediate);
    expect(await session.serial()).toBe(session.info.sn);
    await session.close();
  });

  test("is extended for the user's confirmation", async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    const bindRequest = await phone.requestBind();
    await advanceToSecond(59);
    await recorder.shortPress();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the user has decided');
    await advanceToSecond(68.9);
    expect(phone.isClosed).toBe(false);
    phone.channel = await phone.openChannel(bindRequest);
    expect((await phone.send('timeSync', { unixTime: 5, timeZone: 0 })).result).toBe('ok');
    await advanceToSecond(3600);
    expect((await phone.send('claim', { ownerTag: tag })).result).toBe('ok');
  });

  test("closes a link without a channel after the user's confirmation", async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    await phone.requestBind();
    await recorder.shortPress();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the user has decided');
    await advanceToSecond(10.1);
    await waitForEnd(phone);
  });

  test('is extended once per link', async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    for (const seconds of [9, 18, 27, 36, 45, 54, 63, 70]) {
      await phone.requestBind();
      await advanceToSecond(seconds);
      expect(phone.isClosed).toBe(false);
    }
    await advanceToSecond(70.1);
    await waitForEnd(phone);
    expect(recorder.isBindPending).toBe(false);
  });
});
