/** The recorder through its real protocol: session, codec, radio, state machine, flash. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import {
  DeviceError,
  openRecorderSession,
  type RecorderEvent,
  type RecorderSession,
} from '@linnet/device/session';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Flash } from './flash/flash.ts';
import { PacedClock } from './paced-clock.ts';
import { Recorder } from './recorder.ts';
import { encodeAll } from './sound/microphone.ts';
import type { Scene } from './sound/scenes.ts';
import { connectInMemory } from './testing/memory-radio.ts';
import { until } from './testing/wait.ts';

let opus: OpusModule;
let dir: string;
let recorder: Recorder;
let session: RecorderSession;
const events: RecorderEvent[] = [];
const voice: Scene = {
  name: 'voice',
  title: 'Voice',
  mode: 'normal',
  scene: 'note',
  samples: Int16Array.from({ length: 16_000 * 4 }, (_, n) => 9000 * Math.sin(n / (5 + n / 9000))),
};

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-recorder-'));
  recorder = new Recorder(await Flash.open(dir), new PacedClock(20), opus, [voice]);
  recorder.scene = 'voice';
  session = await connect();
  events.length = 0;
});
afterEach(async () => {
  await session.close();
  await recorder.shutDown();
  await rm(dir, { recursive: true });
});

/** A phone whose time passes as fast as the recorder's, so that tests do not wait 300 ms a command. */
async function connect(): Promise<RecorderSession> {
  const { clock } = recorder;
  const opened = await openRecorderSession(connectInMemory(recorder, 244), {
    clock: { now: () => 1e12 + clock.elapsed(), after: (ms, call) => clock.after(ms, call) },
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
const note = { mode: 'normal', scene: 'note' } as const;

async function readAll(sessionId: number, from = 0) {
  const parts: Uint8Array[] = [];
  const digest = await session.readSession(sessionId, from, {
    onChunk: async (_, bytes) => {
      parts.push(bytes);
    },
  });
  return { bytes: Buffer.concat(parts), digest };
}

describe('recording', () => {
  test('hears the scene from its beginning, in packets of 160 bytes', async () => {
    await session.bind();
    const { sessionId, startTime } = await session.startRecording(note);
    expect(startTime).toBe(recorder.unixTime());
    await until(() => (recorder.recording?.writer.durableSize ?? 0) >= 16_000, 'two seconds');
    const ended = await session.stopRecording();
    const { bytes, digest } = await readAll(sessionId);
    expect(bytes.length).toBe(ended.fileSize);
    expect(digest.fileSize).toBe(ended.fileSize);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(bytes));
    const expected = Buffer.concat(encodeAll(opus, voice.samples));
    expect(bytes.subarray(0, 16_000)).toEqual(expected.subarray(0, 16_000));
    expect(events).toEqual([
      { type: 'bind_changed', isBind: true },
      { type: 'recording_started', sessionId, startTime, ...note },
      {
        type: 'recording_ended',
        sessionId,
        fileSize: ended.fileSize,
        durationMs: ended.fileSize / 8,
        because: 'none',
      },
    ]);
  });

  test('can be followed while it goes on', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    const seen: number[] = [];
    const parts: Uint8Array[] = [];
    const reading = session.readSession(sessionId, 0, {
      onChunk: async (index, bytes) => {
        seen.push(index);
        parts.push(bytes);
      },
    });
    await until(() => seen.length >= 5, 'five chunks');
    expect((await session.status()).recording.state).toBe('recording');
    const { fileSize } = await session.stopRecording();
    const digest = await reading;
    expect(digest.fileSize).toBe(fileSize);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(Buffer.concat(parts)));
  });

  test('shows in status and list, and cannot be deleted meanwhile', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording({ mode: 'call', scene: 'meeting' });
    const status = await session.status();
    expect(status.recording).toMatchObject({
      state: 'recording',
      sessionId,
      mode: 'call',
      scene: 'meeting',
    });
    expect(await session.listSessions()).toMatchObject([
      { sessionId, mode: 'call', scene: 'meeting', stillRecording: true },
    ]);
    expect(await code(session.deleteSession(sessionId))).toBe('session_recording');
    expect(await code(session.startRecording(note))).toBe('busy');
    await session.stopRecording();
    await session.deleteSession(sessionId);
    expect(await session.listSessions()).toEqual([]);
    expect(await code(session.deleteSession(sessionId))).toBe('session_unknown');
    expect(await code(session.stopRecording())).toBe('not_recording');
  });

  test('the button records too, bound or not, and the phone hears of it', async () => {
    const started = await recorder.start(note, 'button');
    expect(started.ok).toBe(true);
    await until(() => events.some(({ type }) => type === 'recording_started'), 'the report');
    await recorder.stop();
    await until(() => events.some(({ type }) => type === 'recording_ended'), 'the report');
  });

  test('a full flash ends the recording, keeps it and refuses the next', async () => {
    await session.bind();
    recorder.faults.storageBytes = 5 * 1600 + 320;
    const { sessionId } = await session.startRecording(note);
    const ended = await until(
      () => events.find((event) => event.type === 'recording_ended'),
      'the end',
    );
    expect(ended).toMatchObject({ sessionId, because: 'space_full', fileSize: 8320 });
    expect((await session.status()).storage.isFull).toBe(true);
    expect(await code(session.startRecording(note))).toBe('space_full');
    expect((await readAll(sessionId)).bytes.length).toBe(8320);
  });

  test.each([
    ['usbDisk', 'usb_disk_mode'],
    ['hardware', 'hardware_abnormal'],
    ['unavailable', 'busy'],
  ] as const)('with the fault %s it is refused with %s', async (fault, expected) => {
    await session.bind();
    recorder.faults[fault] = true;
    expect(await code(session.startRecording(note))).toBe(expected);
    const state = fault === 'unavailable' ? 'unavailable' : 'idle';
    expect((await session.status()).recording.state).toBe(state);
  });
});

describe('binding', () => {
  test('an unbound recorder, and one that asks its owner, do not record for a phone', async () => {
    expect(await code(session.startRecording(note))).toBe('waiting_for_bind');
    recorder.faults.bindConfirm = 'button';
    const binding = session.bind();
    await until(() => recorder.bindState === 'waiting', 'the question');
    expect(await code(session.startRecording(note))).toBe('waiting_for_bind');
    await recorder.pressShortly();
    await binding;
    expect((await session.status()).isBind).toBe(true);
    await session.unbind();
    expect((await session.status()).isBind).toBe(false);
  });

  test('nobody confirms for a minute: refused', async () => {
    recorder.faults.bindConfirm = 'button';
    expect(await code(session.bind())).toBe('bind_refused');
    expect(recorder.bindState).toBe('unbound');
  });
});

describe('sessions', () => {
  const about = { startTime: 1000, ...note };

  test('seven to a reply, however many there are', async () => {
    for (let index = 0; index < 16; index++) {
      await recorder.addSession(new Int16Array(320 * (index + 1)), about);
    }
    const listed = await session.listSessions();
    expect(listed.map(({ fileSize }) => fileSize)).toEqual(
      Array.from({ length: 16 }, (_, index) => 160 * (index + 1)),
    );
    expect(listed[15]).toMatchObject({ durationMs: 320, startTime: 1000, stillRecording: false });
  });

  test('reading goes on from any chunk, to the very end', async () => {
    const record = await recorder.addSession(voice.samples, about);
    const whole = Buffer.concat(encodeAll(opus, voice.samples));
    for (const from of [0, 1, 7, 19, 20]) {
      const { bytes, digest } = await readAll(record.sessionId, from);
      expect(bytes).toEqual(whole.subarray(from * 1600));
      expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(whole));
    }
    expect(await code(readAll(record.sessionId, 21))).toBe('chunk_out_of_range');
    expect(await code(readAll(99))).toBe('session_unknown');
  });

  test('a flipped bit on the air is repaired', async () => {
    const record = await recorder.addSession(voice.samples, about);
    recorder.faults.corruptAfterBytes = 20_000;
    const { bytes } = await readAll(record.sessionId);
    expect(recorder.faults.corruptAfterBytes).toBeUndefined();
    expect(sha256(bytes)).toBe(record.closed?.sha256);
  });

  test('a link that breaks at any byte is resumed without loss', async () => {
    const record = await recorder.addSession(voice.samples, about);
    const parts: Uint8Array[] = [];
    const onChunk = async (index: number, bytes: Uint8Array) => {
      expect(index).toBe(parts.length);
      parts.push(bytes);
    };
    for (const bytes of [1, 1616, 5000, 12_345]) {
      recorder.faults.dropAfterBytes = bytes;
      expect(await code(session.readSession(record.sessionId, parts.length, { onChunk }))).toBe(
        'link_lost',
      );
      session = await connect();
    }
    await session.readSession(record.sessionId, parts.length, { onChunk });
    expect(sha256(Buffer.concat(parts))).toBe(record.closed?.sha256);
  });

  test('a busy list and a lost answer are asked for again', async () => {
    await recorder.addSession(voice.samples, about);
    recorder.faults.listBusy = 2;
    expect(await session.listSessions()).toHaveLength(1);
    recorder.faults.silence = 1;
    expect(await session.listSessions()).toHaveLength(1);
  });
});

describe('a flash that fails', () => {
  test('in the middle of a recording ends it, keeps what was stored, and says so', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    const { writer } = await until(() => recorder.recording, 'the recording');
    await until(() => writer.durableSize > 3200, 'two chunks');
    const stored = writer.durableSize;
    // The file is closed under the writer: every further write fails, as on a dying flash.
    await (writer as unknown as { file: { close(): Promise<void> } }).file.close();
    const ended = await until(
      () => events.find((event) => event.type === 'recording_ended'),
      'the end',
    );
    expect(ended).toMatchObject({ sessionId, because: 'hardware_abnormal' });
    const { bytes, digest } = await readAll(sessionId);
    expect(bytes.length).toBeGreaterThanOrEqual(stored);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(bytes));
    expect((await session.status()).recording.state).toBe('idle');
  });
});
