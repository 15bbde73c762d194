/** What a phone may do that no session of ours would: out of step, or out of malice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { newKeyPair } from '@linnet/device/channel';
import { decodeReport, encodeStream, FIXED_TOKEN } from '@linnet/device/codec';
import { openRecorderSession } from '@linnet/device/session';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Firmware } from '../flash/firmware.ts';
import { Flash } from '../flash/flash.ts';
import { PacedClock } from '../paced-clock.ts';
import { Recorder } from '../recorder.ts';
import { connectInMemory } from '../testing/memory-radio.ts';
import { phoneClock } from '../testing/phone-clock.ts';
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
const about = { startTime: 1000, ...note };
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

/** A phone that binds as it should. */
async function owner(ownerTag: Uint8Array) {
  const session = await openRecorderSession(connectInMemory(recorder, 244), {
    clock: phoneClock(recorder.clock),
    binding: { status: 'new' },
  });
  await session.bind();
  await session.claim(ownerTag);
  return session;
}

describe('a key that nobody has claimed', () => {
  test('opens nothing of the owner’s, whatever is asked after the channel was opened', async () => {
    await (await owner(tag)).close();
    await recorder.addSession(voice, about);
    const phone = new RawPhone(recorder);
    const asked = await phone.requestBind();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the owner’s answer');
    const channel = await phone.openChannel(asked);
    await recorder.start(note, 'button');
    const again = await phone.send('agreeKey', { publicKey: newKeyPair().publicKey });
    expect(again.result).toBe('busy');
    const { bytes, sequence } = phone.request('timeSync', { unixTime: 5, timeZone: 0 });
    await phone.write(channel.seal(bytes));
    // A sealed frame without a channel: that one went with the key it was opened with.
    const { result } = await phone.responseTo('timeSync', sequence);
    expect(result).toBe('version_unsupported');
    expect((await phone.send('sessionList', { afterSessionId: 0 })).result).toBe('out_of_order');
  });
});

describe('a bind of version 1 that waits', () => {
  test('is no more asked about once another phone has claimed the recorder', async () => {
    recorder.faults.bindConfirm = 'button';
    const old = new RawPhone(recorder);
    await old.authenticate();
    const phone = new RawPhone(recorder);
    const asked = await phone.requestBind();
    await recorder.shortPress();
    expect(await old.send('bind', {})).toEqual({ result: 'ok', state: 'waiting' });
    phone.channel = await phone.openChannel(asked);
    await phone.send('timeSync', { unixTime: 5, timeZone: 0 });
    expect(await phone.send('claim', { ownerTag: tag })).toEqual({ result: 'ok' });
    expect([recorder.isBound, recorder.isBindPending]).toEqual([true, false]);
    await recorder.shortPress();
    expect(recorder.ownership.key).toEqual(asked.key);
  });

  test('changes nothing when it is answered while the claim is being stored', async () => {
    recorder.faults.bindConfirm = 'button';
    await recorder.addSession(voice.subarray(0, 3200), about);
    const key = new Uint8Array(32).fill(7);
    const claimed = recorder.ownership.claim(key, tag);
    expect(recorder.binding.bind().state).toBe('waiting');
    await claimed;
    await recorder.shortPress();
    expect(recorder.ownership.key).toEqual(key);
  });

  test('goes with the phone that asked', async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    await phone.send('bind', {});
    expect(recorder.isBindPending).toBe(true);
    await phone.link.close();
    await until(() => !recorder.isConnected, 'its end');
    expect([recorder.isBound, recorder.isBindPending]).toEqual([false, false]);
    await recorder.shortPress();
    expect(recorder.flash.state.isBind).toBe(false);
  });
});

describe('who asks to bind a recorder that is bound', () => {
  test.each(['the button', 'the phone'])('does not keep %s from recording', async (by) => {
    const session = await owner(tag);
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    await phone.requestBind();
    expect(recorder.isBindPending).toBe(true);
    expect((await session.status()).isBind).toBe(true);
    if (by === 'the phone') await session.startRecording(note);
    else expect((await recorder.press('power', 2000)).ok).toBe(true);
    expect([recorder.status, recorder.isBindPending]).toEqual(['recording', false]);
    // The one who asked is told, and a press now confirms nothing.
    const told = await until(
      () => phone.received.find(({ kind }) => kind === 'report'),
      'the answer',
    );
    expect(decodeReport(told)).toEqual({ name: 'bindChanged', value: { isBind: false } });
    await recorder.shortPress();
    const { publicKey } = newKeyPair();
    expect((await phone.send('agreeKey', { publicKey })).result).toBe('busy');
    await session.close();
  });
});

describe('a handshake', () => {
  test('starts over: what was read under the token of before ends', async () => {
    const { sessionId } = await recorder.addSession(voice, about);
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    await phone.send('syncFile', { sessionId, fromChunk: 0, window: 400 });
    await phone.send('handshake', { minVersion: 1, maxVersion: 2 });
    const chunks = () => phone.received.filter(({ kind }) => kind === 'stream').length;
    const before = chunks();
    // Far longer than what is left of the session needs.
    for (let n = 0; n < 20; n++) {
      expect((await phone.send('status', {})).result).toBe('out_of_order');
    }
    expect(chunks()).toBe(before);
  });

  test('starts over: an image that was announced takes no more bytes', async () => {
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    const image = { fileSize: 168, crc16: 0, version: '1.2.0', signature: new Uint8Array(64) };
    const { bytes, sequence } = phone.request('otaStart', image);
    await phone.write(bytes);
    expect(await phone.responseTo('otaStart', sequence)).toMatchObject({ result: 'ok' });
    const packet = (offset: number) =>
      encodeStream('otaData', { offset, data: new Uint8Array(84) }, sequence);
    await phone.write(packet(0));
    await until(() => recorder.firmware.nextOffset === 84, 'the first packet');
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    await phone.write(packet(84));
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    expect(recorder.firmware.nextOffset).toBe(84);
  });
});

describe('a claim', () => {
  test('waits for the end of a recording, which stays whose it was', async () => {
    await (await owner(tag)).close();
    const former = recorder.ownership.owner;
    const phone = new RawPhone(recorder);
    const asked = await phone.requestBind();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the owner’s answer');
    phone.channel = await phone.openChannel(asked);
    const started = await recorder.start(note, 'button');
    const claim = { ownerTag: tag.map(() => 2) };
    expect(await phone.send('claim', claim)).toEqual({ result: 'busy' });
    expect(recorder.ownership.owner).toBe(former);
    await recorder.stop();
    expect(await phone.send('claim', claim)).toEqual({ result: 'ok' });
    expect(recorder.flash.sessions()).toMatchObject([{ owner: former, closed: {} }]);
    expect(
      started.ok && recorder.sessions.isVisible(started.value.sessionId, recorder.ownership.owner),
    ).toBe(false);
  });

  test('lets nothing begin, and nobody else claim, while it is being stored', async () => {
    const by = { medium: 'bluetooth', isTransferring: false } as const;
    const claimed = recorder.binding.claim(new Uint8Array(32).fill(7), tag, by);
    expect(await recorder.start(note, 'button')).toEqual({ ok: false, result: 'busy' });
    expect(await recorder.binding.claim(new Uint8Array(32).fill(8), tag, by)).toEqual({
      ok: false,
      result: 'busy',
    });
    expect(await claimed).toMatchObject({ ok: true });
    expect((await recorder.start(note, 'button')).ok).toBe(true);
  });
});

describe('requests in one write', () => {
  test('are answered one after the other, each by what the one before has done', async () => {
    const { sessionId } = await recorder.addSession(voice.subarray(0, 3200), about);
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

describe('half a frame', () => {
  test('whose rest does not come is given up, and what followed it is answered', async () => {
    const phone = new RawPhone(recorder);
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    const half = encodeStream('otaData', { offset: 0, data: new Uint8Array(2000) }, 7).slice(0, 20);
    await phone.write(half);
    // Far too short to be taken for the rest.
    expect(await phone.send('token', { token: FIXED_TOKEN })).toEqual({ result: 'ok' });
  });
});

describe('a link that has ten seconds to prove itself', () => {
  let time: SteppedClock;
  beforeEach(() => {
    time = new SteppedClock();
    recorder.phoneTime = time;
  });
  /** Goes on to this second, and lets whatever that ends end. */
  async function second(at: number): Promise<void> {
    time.advanceTo(at * 1000 - 1);
    await new Promise(setImmediate);
  }
  const ended = (phone: RawPhone) => until(() => phone.isClosed, 'the end of the link');

  test('is ended when it says nothing', async () => {
    const phone = new RawPhone(recorder);
    await second(10);
    expect(phone.isClosed).toBe(false);
    await second(10.1);
    await ended(phone);
    expect(recorder.isConnected).toBe(false);
  });

  test('is ended for all that it says without a token that is accepted', async () => {
    const phone = new RawPhone(recorder);
    for (const at of [2, 4, 6, 8, 10]) {
      await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
      expect((await phone.send('token', { token: 'not the one here' })).result).toBe(
        'token_refused',
      );
      await phone.write(new Uint8Array(20).fill(0x4c));
      await second(at);
    }
    expect(phone.isClosed).toBe(false);
    await second(10.1);
    await ended(phone);
  });

  test('of a bound recorder is ended when it opens channels without the key', async () => {
    await (await owner(tag)).close();
    await until(() => !recorder.isConnected, 'the end of the owner’s link');
    time.advanceTo(100_000);
    const phone = new RawPhone(recorder);
    for (const at of [102, 105, 108, 110]) {
      await phone.send('handshake', { minVersion: 1, maxVersion: 2 });
      const { publicKey } = newKeyPair();
      expect((await phone.send('openChannel', { publicKey })).result).toBe('ok');
      await second(at);
    }
    expect(phone.isClosed).toBe(false);
    await second(110.1);
    await ended(phone);
  });

  test('stays once its token was accepted, however long it is silent; starting over begins anew', async () => {
    const phone = new RawPhone(recorder);
    await phone.authenticate();
    await second(3600);
    expect((await phone.send('serial', {})).result).toBe('ok');
    await phone.send('handshake', { minVersion: 1, maxVersion: 1 });
    await second(3609);
    expect(phone.isClosed).toBe(false);
    await second(3610);
    await ended(phone);
  });

  test('stays with its first record', async () => {
    const session = await owner(tag);
    time.advanceTo(3_600_000);
    await new Promise(setImmediate);
    expect(await session.serial()).toBe(session.info.sn);
    await session.close();
  });

  test('waits for the owner’s answer, and ten seconds more for the channel', async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    const asked = await phone.requestBind();
    await second(59);
    await recorder.shortPress();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the owner’s answer');
    await second(68.9);
    expect(phone.isClosed).toBe(false);
    phone.channel = await phone.openChannel(asked);
    expect((await phone.send('timeSync', { unixTime: 5, timeZone: 0 })).result).toBe('ok');
    await second(3600);
    expect((await phone.send('claim', { ownerTag: tag })).result).toBe('ok');
  });

  test('is ended when its owner’s answer leads to no channel', async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    await phone.requestBind();
    await recorder.shortPress();
    await until(() => phone.received.some(({ kind }) => kind === 'report'), 'the owner’s answer');
    await second(10.1);
    await ended(phone);
  });

  test('has the owner’s minute once, however often it asks', async () => {
    recorder.faults.bindConfirm = 'button';
    const phone = new RawPhone(recorder);
    for (const at of [9, 18, 27, 36, 45, 54, 63, 70]) {
      await phone.requestBind();
      await second(at);
      expect(phone.isClosed).toBe(false);
    }
    await second(70.1);
    await ended(phone);
    expect(recorder.isBindPending).toBe(false);
  });
});
