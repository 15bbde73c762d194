/** Tests version 2 sessions: version negotiation, sealed frames, and link failures. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  decodeFrame,
  encodeFrame,
  encodeReport,
  encodeResponse,
  encodeStream,
  FrameDecoder,
} from '../codec/index.ts';
import { DeviceError, type OpenSessionOptions, openRecorderSession } from './index.ts';
import { flushTasks, ManualClock, ScriptedRecorder } from './scripted-recorder.ts';

let clock: ManualClock;
let recorder: ScriptedRecorder;
const key = new Uint8Array(32).fill(7);
const handshakeWith = (changed: object) => ({ ...(recorder.handshake as object), ...changed });

beforeEach(() => {
  clock = new ManualClock();
  recorder = new ScriptedRecorder(clock);
  recorder.handshake = handshakeWith({ version: 2, tranVersion: 2 });
  recorder.bindingKey = key;
});

/** Advances the clock in steps until the action settles, because modules load in real time. */
async function advanceUntilSettled<T>(action: Promise<T>): Promise<T> {
  let isSettled = false;
  const onSettled = () => {
    isSettled = true;
  };
  action.then(onSettled, onSettled);
  while (!isSettled) await clock.advance(50);
  return action;
}

const open = (binding: NonNullable<OpenSessionOptions['binding']>) =>
  advanceUntilSettled(openRecorderSession(recorder, { clock, timeZoneMinutes: 0, binding }));
const openBound = () => open({ status: 'bound', key });
const openNew = () => open({ status: 'new' });

const errorCode = (action: Promise<unknown>) =>
  advanceUntilSettled(
    action.then(
      () => 'none',
      (error: unknown) => (error instanceof DeviceError ? error.code : String(error)),
    ),
  );

describe('opening with a key', () => {
  test('offers both versions, opens the channel, and sets the time in a sealed frame', async () => {
    const session = await openBound();
    expect(recorder.requests.map(({ name }) => name)).toEqual([
      ...['handshake', 'openChannel', 'timeSync'],
    ]);
    expect(recorder.requests[0]?.value).toEqual({ minVersion: 1, maxVersion: 2 });
    expect(session.info).toMatchObject({ protocolVersion: 2, tranVersion: 2 });
    // The write consists of 12 bytes for the frame, 20 bytes for the record and 5 bytes for the time.
    expect(recorder.writes.at(-1)?.size).toBe(37);
  });

  test('fails with binding_unknown for a wrong or missing key and closes the link', async () => {
    expect(await errorCode(open({ status: 'bound', key: new Uint8Array(32) }))).toBe(
      'binding_unknown',
    );
    expect(recorder.closed).toBe('closed_by_us');
    recorder = new ScriptedRecorder(clock);
    recorder.handshake = handshakeWith({ version: 2, tranVersion: 2 });
    expect(await errorCode(openBound())).toBe('binding_unknown');
    expect(recorder.closed).toBe('closed_by_us');
  });

  test('never accepts version 1', async () => {
    recorder.handshake = handshakeWith({ version: 1, tranVersion: 1 });
    expect(await errorCode(openBound())).toBe('version_unsupported');
    expect(recorder.requests.map(({ name }) => name)).toEqual(['handshake']);
  });
});

describe('bind', () => {
  test('agrees on a key, waits for the confirmation, and opens the channel for the claim', async () => {
    recorder.bindingKey = undefined;
    const session = await openNew();
    const binding = session.bind();
    while (recorder.requests.at(-1)?.name !== 'agreeKey') await clock.advance(50);
    await clock.advance(20_000);
    expect(recorder.requests.at(-1)?.name).toBe('agreeKey');
    recorder.sendFrame(encodeReport('bindChanged', { isBind: true }, 1));
    expect(await advanceUntilSettled(binding)).toEqual({ version: 2, key: recorder.bindingKey });
    recorder.respond = () => ({});
    await advanceUntilSettled(session.claim(new Uint8Array(16).fill(1)));
    expect(recorder.requests.slice(1).map(({ name }) => name)).toEqual([
      ...['agreeKey', 'openChannel', 'timeSync', 'claim'],
    ]);
  });

  test('fails with bind_refused without a confirmation', async () => {
    const session = await openNew();
    const binding = errorCode(session.bind());
    while (recorder.requests.at(-1)?.name !== 'agreeKey') await clock.advance(50);
    recorder.sendFrame(encodeReport('bindChanged', { isBind: false }, 1));
    expect(await binding).toBe('bind_refused');
  });

  test('needs no confirmation if the recorder accepts the known key', async () => {
    const session = await openNew();
    expect(await advanceUntilSettled(session.bind({ knownKey: key }))).toEqual({ version: 2, key });
    expect(recorder.requests.map(({ name }) => name)).not.toContain('agreeKey');
  });

  test('uses version 1 with a version 1 recorder', async () => {
    recorder.handshake = handshakeWith({ version: 1, tranVersion: 1 });
    const session = await openNew();
    recorder.respond = () => ({ state: 'bound' });
    expect(await advanceUntilSettled(session.bind())).toEqual({ version: 1 });
  });

  test('rejects a downgrade by a recorder that supports version 2', async () => {
    recorder.handshake = handshakeWith({ version: 1, tranVersion: 2 });
    expect(await errorCode(openNew())).toBe('version_unsupported');
  });
});

describe('a session with a channel', () => {
  test('seals frames in the order of writes, with acknowledgements before a delayed command', async () => {
    const session = await openBound();
    const chunk = new Uint8Array(1600);
    let stream = 0;
    recorder.respond = (request, sequence) => {
      if (request.name === 'deleteRecord') return {};
      if (request.name !== 'syncFile') return undefined;
      stream = sequence;
      return { fileSize: 16 * 1600, stillRecording: false };
    };
    const reading = session.readSession(1, 0, { onChunk: async () => {} });
    while (stream === 0) await clock.advance(50);
    // This command is delayed because another was just sent.
    const deleting = session.deleteSession(2);
    await flushTasks();
    for (let chunkIndex = 0; chunkIndex < 16; chunkIndex++) {
      recorder.sendFrame(encodeStream('chunk', { chunkIndex, data: chunk }, stream));
    }
    recorder.sendFrame(
      encodeStream('end', { fileSize: 16 * 1600, sha256: chunk.slice(0, 32) }, stream),
    );
    await advanceUntilSettled(Promise.all([reading, deleting]));
    expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([16, 16]);
  });

  const encodeStatus = (sequence: number) =>
    encodeResponse('recordEnd', { sessionId: 1, fileSize: 160 }, sequence);

  test('closes the link and reports channel_broken for an invalid record', async () => {
    const session = await openBound();
    const reason = new Promise((resolve) => session.onClosed(resolve));
    recorder.respond = (_, sequence) => {
      const send = recorder.send.bind(recorder);
      recorder.send = (bytes) => {
        const frame = decodeFrame(bytes);
        const payload = frame.payload.slice();
        payload[5] = (payload[5] ?? 0) ^ 1;
        send(encodeFrame({ ...frame, payload }));
      };
      recorder.sendFrame(encodeStatus(sequence));
      return undefined;
    };
    expect(await errorCode(session.stopRecording())).toBe('channel_broken');
    expect(await reason).toBe('link_lost');
    expect(recorder.closed).toBe('closed_by_us');
    expect(await errorCode(session.status())).toBe('channel_broken');
  });

  test('closes the link for an unsealed frame', async () => {
    const session = await openBound();
    recorder.respond = (_, sequence) => {
      recorder.send(encodeStatus(sequence));
      return undefined;
    };
    expect(await errorCode(session.stopRecording())).toBe('channel_broken');
  });

  test('ignores a frame that was damaged in transit', async () => {
    const session = await openBound();
    recorder.respond = (_, sequence) => {
      const send = recorder.send.bind(recorder);
      recorder.send = (bytes) => {
        recorder.send = send;
        const damagedBytes = bytes.slice();
        damagedBytes[20] = (damagedBytes[20] ?? 0) ^ 1;
        expect(new FrameDecoder().push(damagedBytes.slice())).toEqual([]);
        send(damagedBytes);
      };
      recorder.sendFrame(encodeStatus(sequence));
      recorder.sendFrame(encodeStatus(sequence));
      return undefined;
    };
    expect(await advanceUntilSettled(session.stopRecording())).toEqual({
      sessionId: 1,
      fileSize: 160,
    });
  });
});
