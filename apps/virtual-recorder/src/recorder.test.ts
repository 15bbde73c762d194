/** Tests the recorder through its protocol, with session, codec, radio, state machine and flash. */
import { createHash, generateKeyPairSync } from 'node:crypto';
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
  type RecorderSettings,
} from '@linnet/device/session';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Firmware } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import { PacedClock } from './paced-clock.ts';
import { Recorder } from './recorder.ts';
import { encodeAll } from './sound/microphone.ts';
import type { Scene } from './sound/scenes.ts';
import { connectInMemory } from './testing/memory-radio.ts';
import { createPhoneClock } from './testing/phone-clock.ts';
import { SteppedClock } from './testing/stepped-clock.ts';
import { until } from './testing/wait.ts';

let opus: OpusModule;
let dir: string;
let recorder: Recorder;
let session: RecorderSession;
const events: RecorderEvent[] = [];
const signer = generateKeyPairSync('ed25519');
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
  recorder = await startRecorder();
  recorder.scene = 'voice';
  session = await connect();
  events.length = 0;
});
afterEach(async () => {
  await session.close();
  await recorder.shutDown();
  await rm(dir, { recursive: true });
});

/** Starts a recorder with this test's flash image. */
async function startRecorder(clock = new PacedClock(20)): Promise<Recorder> {
  const flash = await Flash.open(dir);
  const firmware = await Firmware.boot(flash, signer.publicKey);
  return new Recorder(flash, firmware, clock, opus, [voice]);
}

async function connect(): Promise<RecorderSession> {
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

/** Returns the RMS level of the decoded packets. */
function effective(opus: OpusModule, packets: Uint8Array): number {
  const decoder = opus.createDecoder();
  const samples: number[] = [];
  for (let offset = 0; offset < packets.length; offset += 160) {
    samples.push(...decoder.decode(packets.subarray(offset, offset + 160)));
  }
  decoder.free();
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}

describe('recording', () => {
  test('records the scene from its beginning in packets of 160 bytes', async () => {
    await session.bind();
    const { sessionId, startTime } = await session.startRecording(note);
    expect(startTime).toBe(recorder.unixTime());
    await until(
      () => (recorder.recording?.writer.durableSize ?? 0) >= 16_000,
      'two seconds are recorded',
    );
    const ended = await session.stopRecording();
    const { bytes, digest } = await readAll(sessionId);
    expect(bytes.length).toBe(ended.fileSize);
    expect(digest.fileSize).toBe(ended.fileSize);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(bytes));
    const expected = Buffer.concat(encodeAll(opus, voice.samples));
    expect(bytes.subarray(0, 16_000)).toEqual(expected.subarray(0, 16_000));
    // Storage is reported each time another percent is used, and at the end.
    const { storage } = await session.status();
    expect(events.at(-1)).toEqual({ type: 'storage_changed', ...storage });
    expect(events.filter(({ type }) => type !== 'storage_changed')).toEqual([
      { type: 'bind_changed', isBind: true },
      { type: 'recording_started', sessionId, startTime, ...note },
      {
        type: 'recording_ended',
        sessionId,
        fileSize: ended.fileSize,
        durationMs: ended.fileSize / 8,
        because: 'none',
      },
      {
        type: 'session_changed',
        sessionId,
        fileSize: ended.fileSize,
        ...note,
        hasMarkers: false,
        stillRecording: false,
      },
    ]);
  });

  test('ends instead of pausing when the storage is full', async () => {
    await session.bind();
    await session.startRecording(note);
    await until(() => (recorder.recording?.writer.size ?? 0) > 0, 'audio');
    recorder.faults.storageBytes = recorder.sessions.storage.used;
    // The audio recorded until the next poll doesn't fit into the storage.
    const startMs = recorder.clock.elapsed();
    while (recorder.clock.elapsed() < startMs + 100);
    expect(recorder.pause()).toEqual({ ok: false, result: 'not_recording' });
    await until(() => recorder.status === 'idle', 'end');
    expect(recorder.flash.sessions()).toHaveLength(1);
  });

  test('pauses, and resumes without the audio in between', async () => {
    expect(await code(session.pauseRecording())).toBe('not_recording');
    expect(await code(session.restoreRecording())).toBe('not_recording');
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    await until(() => (recorder.recording?.writer.size ?? 0) >= 8000, 'a second is recorded');
    const pausedRecording = await session.pauseRecording();
    expect(pausedRecording.sessionId).toBe(sessionId);
    expect(await session.pauseRecording()).toEqual(pausedRecording);
    const { writer } = recorder.recording ?? expect.fail('no recording');
    const size = writer.size;
    expect(pausedRecording.elapsedMs).toBe(size / 8);
    const startMs = recorder.clock.elapsed();
    await until(() => recorder.clock.elapsed() > startMs + 5000, 'five seconds have passed');
    expect(writer.size).toBe(size);
    expect((await session.status()).recording).toMatchObject({
      state: 'recording',
      isPaused: true,
      sessionId,
      elapsedMs: pausedRecording.elapsedMs,
    });
    expect(await code(session.startRecording(note))).toBe('busy');

    const restored = await session.restoreRecording();
    expect(restored.elapsedMs - pausedRecording.elapsedMs).toBeLessThan(1000);
    expect((await session.status()).recording).toMatchObject({ isPaused: false });
    await until(() => writer.size >= size + 8000, 'another second is recorded');
    await session.stopRecording();
    const { bytes } = await readAll(sessionId);
    // The recording contains the voice, and on a slow machine also some of the silence after it.
    const audio = new Int16Array(Math.max(voice.samples.length, bytes.length * 2));
    audio.set(voice.samples);
    const encoded = Buffer.concat(encodeAll(opus, audio));
    expect(bytes.subarray(0, size + 8000)).toEqual(encoded.subarray(0, size + 8000));
    const reported = events.map(({ type }) => type).filter((type) => /paused|restored/.test(type));
    expect(reported).toEqual(['recording_paused', 'recording_restored']);
  });

  test('pauses at a packet boundary', async () => {
    const clock = new SteppedClock();
    const stepped = await startRecorder(clock);
    // Start at a fraction of a millisecond, which must not be lost in elapsed times.
    const since = 1000 / 3;
    clock.advanceTo(since);
    expect(await stepped.start(note, 'button')).toMatchObject({ ok: true });
    const { writer } = stepped.recording ?? expect.fail('no recording');
    for (let packets = 1; packets <= 200; packets++) {
      clock.advanceTo(since + 20 * packets + 1);
      expect(stepped.pause()).toMatchObject({ ok: true, value: { elapsedMs: writer.size / 8 } });
      expect(stepped.restore()).toMatchObject({ ok: true });
    }
    expect(writer.size).toBeGreaterThan(100 * 160);
    await stepped.shutDown();
  });

  test('stops while paused', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    await until(() => (recorder.recording?.writer.size ?? 0) >= 1600, 'a chunk is recorded');
    await session.pauseRecording();
    const { fileSize } = await session.stopRecording();
    expect((await readAll(sessionId)).bytes.length).toBe(fileSize);
    expect((await session.status()).recording.state).toBe('idle');
  });

  test('can be read in progress', async () => {
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
    await until(() => seen.length >= 5, 'five chunks are received');
    expect((await session.status()).recording.state).toBe('recording');
    const { fileSize } = await session.stopRecording();
    const digest = await reading;
    expect(digest.fileSize).toBe(fileSize);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(Buffer.concat(parts)));
  });

  test('appears in status and list, and cannot be deleted in progress', async () => {
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

  test('starts with the button, bound or not, and is reported to the phone', async () => {
    const started = await recorder.start(note, 'button');
    expect(started.ok).toBe(true);
    await until(() => events.some(({ type }) => type === 'recording_started'), 'report');
    await recorder.stop();
    await until(() => events.some(({ type }) => type === 'recording_ended'), 'report');
  });

  test('stops and is kept when the flash is full, and the next recording is rejected', async () => {
    await session.bind();
    recorder.faults.storageBytes = 5 * 1600 + 320;
    const { sessionId } = await session.startRecording(note);
    const ended = await until(
      () => events.find((event) => event.type === 'recording_ended'),
      'the recording has ended',
    );
    expect(ended).toMatchObject({ sessionId, because: 'space_full', fileSize: 8320 });
    expect((await session.status()).storage.isFull).toBe(true);
    expect(await code(session.startRecording(note))).toBe('space_full');
    expect((await readAll(sessionId)).bytes.length).toBe(8320);
  });

  test('reports 80% and 95%, ends at 100% with the reason, and overwrites nothing', async () => {
    await session.bind();
    const hum = new Int16Array(16_000 * 100);
    const before = await recorder.addSession(hum, { startTime: 1000, ...note });
    // A second of audio fills only one percent of the storage, so even a slow machine reports in time.
    recorder.clock.speed = 1;
    const { sessionId } = await session.startRecording(note);
    const warned: number[] = [];
    for (const percent of [80, 95]) {
      recorder.faults.storageBytes = Math.floor((recorder.sessions.storage.used * 100) / percent);
      warned.push(
        await until(
          () =>
            events
              .flatMap((event) => (event.type === 'storage_changed' ? [event.useRate] : []))
              .find((rate) => rate >= percent && rate < percent + 5),
          `${percent}%`,
        ),
      );
      expect(recorder.status).toBe('recording');
    }
    recorder.clock.speed = 20;
    const ended = await until(
      () => events.find((event) => event.type === 'recording_ended'),
      'the recording has ended',
    );
    expect(ended).toMatchObject({ sessionId, because: 'space_full', fileSize: expect.any(Number) });
    expect((await session.status()).storage).toMatchObject({ useRate: 100, isFull: true });
    expect(await code(session.startRecording(note))).toBe('space_full');
    expect(await recorder.press('power', 2000)).toEqual({ ok: false, result: 'space_full' });
    expect(recorder.flash.session(before.sessionId)).toEqual(before);
    expect(recorder.flash.sessions().length).toBe(2);
    for (const { closed, sessionId: id } of recorder.flash.sessions()) {
      expect(sha256((await readAll(id)).bytes)).toBe(closed?.sha256);
    }
    console.info(JSON.stringify({ warnedAt: warned, refusedAt: 100, lostBytes: 0 }));
  });

  test.each([
    ['usbDisk', 'usb_disk_mode'],
    ['hardware', 'hardware_abnormal'],
    ['unavailable', 'busy'],
  ] as const)('is refused because of the fault %s, with the code %s', async (fault, expected) => {
    await session.bind();
    recorder.faults[fault] = true;
    expect(await code(session.startRecording(note))).toBe(expected);
    const state = fault === 'unavailable' ? 'unavailable' : 'idle';
    expect((await session.status()).recording.state).toBe(state);
  });
});

describe('binding', () => {
  test('rejects recording requests from phones while unbound or waiting for confirmation', async () => {
    expect(await code(session.startRecording(note))).toBe('waiting_for_bind');
    recorder.faults.bindConfirm = 'button';
    const binding = session.bind();
    await until(() => recorder.isBindPending, 'a bind is pending');
    expect(await code(session.startRecording(note))).toBe('waiting_for_bind');
    await recorder.shortPress();
    await binding;
    expect((await session.status()).isBind).toBe(true);
    await session.unbind();
    expect((await session.status()).isBind).toBe(false);
  });

  test.each([
    ['restarted', 15_000],
    ['turned off', 3000],
  ])('is canceled when the recorder is %s', async (_, ms) => {
    recorder.faults.bindConfirm = 'button';
    const binding = code(session.bind());
    await until(() => recorder.isBindPending, 'a bind is pending');
    await recorder.press('corner', ms);
    expect(await binding).toBe('link_lost');
    expect([recorder.isBound, recorder.isBindPending]).toEqual([false, false]);
    await recorder.press('power', 100);
    expect(recorder.flash.state.isBind).toBe(false);
  });

  test('is rejected after a minute without confirmation', async () => {
    recorder.faults.bindConfirm = 'button';
    expect(await code(session.bind())).toBe('bind_refused');
    expect([recorder.isBound, recorder.isBindPending]).toEqual([false, false]);
  });
});

describe('sessions', () => {
  const metadata = { startTime: 1000, ...note };

  test('are listed in pages of seven', async () => {
    for (let index = 0; index < 16; index++) {
      await recorder.addSession(new Int16Array(320 * (index + 1)), metadata);
    }
    const listed = await session.listSessions();
    expect(listed.map(({ fileSize }) => fileSize)).toEqual(
      Array.from({ length: 16 }, (_, index) => 160 * (index + 1)),
    );
    expect(listed[15]).toMatchObject({ durationMs: 320, startTime: 1000, stillRecording: false });
  });

  test('can be read from any chunk', async () => {
    const record = await recorder.addSession(voice.samples, metadata);
    const expected = Buffer.concat(encodeAll(opus, voice.samples));
    for (const from of [0, 1, 7, 19, 20]) {
      const { bytes, digest } = await readAll(record.sessionId, from);
      expect(bytes).toEqual(expected.subarray(from * 1600));
      expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(expected));
    }
    expect(await code(readAll(record.sessionId, 21))).toBe('chunk_out_of_range');
    expect(await code(readAll(99))).toBe('session_unknown');
  });

  test('are read again after a bit error', async () => {
    const record = await recorder.addSession(voice.samples, metadata);
    recorder.faults.corruptAfterBytes = 20_000;
    const { bytes } = await readAll(record.sessionId);
    expect(recorder.faults.corruptAfterBytes).toBeUndefined();
    expect(sha256(bytes)).toBe(record.closed?.sha256);
  });

  test('a transfer resumes without loss after the link breaks at any byte', async () => {
    const record = await recorder.addSession(voice.samples, metadata);
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

  test('are listed again after a busy response and a lost response', async () => {
    await recorder.addSession(voice.samples, metadata);
    recorder.faults.listBusy = 2;
    expect(await session.listSessions()).toHaveLength(1);
    recorder.faults.silence = 1;
    expect(await session.listSessions()).toHaveLength(1);
  });

  test('a silenced command gets no response, but other commands do', async () => {
    recorder.faults.silentTo = 'ledSet';
    await expect(session.setLight(true)).rejects.toMatchObject({ code: 'timeout' });
    expect(await session.listSessions()).toEqual([]);
    recorder.faults.silentTo = undefined;
    await session.setLight(true);
  });
});

describe('settings', () => {
  const settings: RecorderSettings = {
    recLedStatus: false,
    recScene: 'meeting',
    recMode: 'call',
    dmicMode: 3,
    micGain: 'high',
  };

  test('are reported, appear in the status and survive a restart', async () => {
    await session.set(settings);
    expect((await session.status()).settings).toEqual(settings);
    await until(() => events.some(({ type }) => type === 'settings_changed'), 'report');
    expect(events).toEqual([{ type: 'settings_changed', ...settings }]);
    expect((await Flash.open(dir)).state.settings).toEqual(settings);
  });

  test('set the LED separately', async () => {
    await session.set(settings);
    expect(await session.light()).toBe(false);
    await session.setLight(true);
    expect(await session.light()).toBe(true);
    expect((await session.status()).settings).toEqual({ ...settings, recLedStatus: true });
  });

  test('change the microphone gain', async () => {
    await session.bind();
    const loudness: number[] = [];
    for (const micGain of ['low', 'normal', 'high'] as const) {
      await session.set({ ...settings, micGain });
      const { sessionId } = await session.startRecording(note);
      await until(
        () => (recorder.recording?.writer.size ?? 0) >= 16_000,
        'two seconds are recorded',
      );
      await session.stopRecording();
      const { bytes } = await readAll(sessionId);
      loudness.push(effective(opus, bytes.subarray(0, 16_000)));
    }
    const [low = 0, normal = 0, high = 0] = loudness;
    // Each step changes the level by 6 dB, within the accuracy of the codec.
    expect(normal / low).toBeCloseTo(2, 0);
    expect(high / normal).toBeCloseTo(2, 0);
  });
});

describe('reports', () => {
  test('serial number, battery and storage match the status', async () => {
    await recorder.addSession(voice.samples, { startTime: 1000, ...note });
    const { battery, storage } = await session.status();
    expect(await session.serial()).toBe(session.info.sn);
    expect(await session.battery()).toEqual(battery);
    expect(await session.storage()).toEqual(storage);
    expect(storage.free).toBeLessThan(storage.totalSpace);
  });

  test('charging is reported', async () => {
    recorder.faults.charging = true;
    const reported = await until(
      () => events.find((event) => event.type === 'battery_changed'),
      'report',
    );
    expect(reported).toMatchObject({ charging: true });
    expect((await session.usage()).charges).toBe(1);
  });

  test('storage is reported for each used percent', async () => {
    await session.bind();
    recorder.faults.storageBytes = 64_000;
    const { sessionId } = await session.startRecording(note);
    await until(
      () => (recorder.recording?.writer.size ?? 0) >= 16_000,
      'a quarter of the storage is used',
    );
    await session.stopRecording();
    const rates = events.flatMap((event) => {
      return event.type === 'storage_changed' ? [event.useRate] : [];
    });
    expect(rates.length).toBeGreaterThan(2);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
    await session.deleteSession(sessionId);
    await until(
      () => events.some((e) => e.type === 'storage_changed' && e.useRate === 0),
      'the storage is free',
    );
  });

  test('operation log and usage counters survive a restart', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    await until(() => (recorder.recording?.writer.size ?? 0) >= 16_000, 'two seconds are recorded');
    const { fileSize } = await session.stopRecording();
    await readAll(sessionId);
    await session.deleteSession(sessionId);
    await session.unbind();
    const operations = await session.operations();
    expect(operations.map(({ operation }) => operation)).toEqual([
      'switchedOn',
      'bound',
      'recordingStarted',
      'recordingEnded',
      'sessionDeleted',
      'unbound',
    ]);
    expect(operations.map(({ entry }) => entry)).toEqual([1, 2, 3, 4, 5, 6]);
    const usage = await session.usage();
    expect(usage).toMatchObject({
      recordings: 1,
      recordedSeconds: Math.floor(fileSize / 8000),
      starts: 1,
      // Bytes are acknowledged in complete chunks and counted in complete KiB.
      transferredBytes: Math.floor((Math.ceil(fileSize / 1600) * 1600) / 1024) * 1024,
    });

    await session.close();
    await recorder.shutDown();
    recorder = await startRecorder();
    session = await connect();
    expect(await session.usage()).toMatchObject({ recordings: 1, starts: 2 });
    const names = (await session.operations()).map(({ operation }) => operation);
    expect(names.slice(6)).toEqual(['switchedOff', 'switchedOn']);
  });

  test('the operation log keeps 256 entries, read in pages', async () => {
    for (let n = 0; n < 300; n++) await session.setLight(n % 2 === 0);
    const operations = await session.operations();
    expect(operations).toHaveLength(256);
    expect(operations.map(({ entry }) => entry)).toEqual(
      Array.from({ length: 256 }, (_, n) => n + 46),
    );
  });
});

describe('a flash failure', () => {
  test('ends the recording, keeps its durable part and reports the reason', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    const { writer } = await until(() => recorder.recording, 'a recording is in progress');
    await until(() => writer.durableSize > 3200, 'two chunks are durable');
    const stored = writer.durableSize;
    // Close the writer's file, so every later write fails as it would on broken flash memory.
    await (writer as unknown as { file: { close(): Promise<void> } }).file.close();
    const ended = await until(
      () => events.find((event) => event.type === 'recording_ended'),
      'the recording has ended',
    );
    expect(ended).toMatchObject({ sessionId, because: 'hardware_abnormal' });
    const { bytes, digest } = await readAll(sessionId);
    expect(bytes.length).toBeGreaterThanOrEqual(stored);
    expect(Buffer.from(digest.sha256).toString('hex')).toBe(sha256(bytes));
    expect((await session.status()).recording.state).toBe('idle');
  });
});

describe('buttons and power', () => {
  test("power starts and stops a recording with the user's settings, and force-stops it", async () => {
    await session.set({ ...(await session.status()).settings, recScene: 'call', recMode: 'call' });
    expect(await recorder.press('power', 2000)).toEqual({ ok: true, value: undefined });
    await until(() => recorder.recording, 'a recording is in progress');
    expect(recorder.recording?.record).toMatchObject({ mode: 'call', scene: 'call' });
    await recorder.press('power', 2500);
    expect(recorder.status).toBe('idle');
    await recorder.press('power', 2000);
    await until(() => recorder.recording, 'another recording is in progress');
    await recorder.press('power', 9000);
    expect(recorder.status).toBe('idle');
    recorder.faults.hardware = true;
    expect(await recorder.press('power', 2000)).toEqual({ ok: false, result: 'hardware_abnormal' });
  });

  test('the Wi-Fi button starts and stops the hotspot', async () => {
    await recorder.press('wifi', 100);
    expect(recorder.wifi.status).toBe('hotspot');
    await recorder.press('wifi', 100);
    expect(recorder.wifi.status).toBe('off');
  });

  test('a recorder that is off accepts no phone, clears its bindings and turns on again', async () => {
    await session.bind();
    const disconnected = new Promise((resolve) => session.onClosed(resolve));
    await recorder.press('corner', 3000);
    await disconnected;
    expect([recorder.power.state, recorder.acceptsConnections]).toEqual(['off', false]);
    await recorder.press('corner', 3000);
    expect(recorder.power.state).toBe('off');
    expect([recorder.isBound, recorder.isBindPending]).toEqual([false, false]);
    await recorder.press('power', 100);
    expect([recorder.power.state, recorder.acceptsConnections]).toEqual(['awake', true]);
  });

  test('after the bindings are cleared, the phone is refused with the reason, and the recording is kept', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    await until(() => (recorder.recording?.writer.durableSize ?? 0) >= 1600, 'a chunk is recorded');
    await session.stopRecording();
    const disconnected = new Promise((resolve) => session.onClosed(resolve));
    await recorder.press('corner', 3000);
    await disconnected;
    await recorder.press('corner', 3000);
    await recorder.press('power', 100);

    session = await connect();
    expect(session.info.isBind).toBe(false);
    expect(await code(session.startRecording(note))).toBe('waiting_for_bind');
    await session.bind();
    const restarted = await session.startRecording(note);
    await session.stopRecording();
    const keptIds = (await session.listSessions()).map((item) => item.sessionId);
    expect(keptIds).toEqual([sessionId, restarted.sessionId]);
  });

  test('a restart closes the link and keeps the recording', async () => {
    await session.bind();
    const { sessionId } = await session.startRecording(note);
    await until(() => (recorder.recording?.writer.durableSize ?? 0) >= 1600, 'a chunk is recorded');
    const disconnected = new Promise((resolve) => session.onClosed(resolve));
    await recorder.press('corner', 15_000);
    await disconnected;
    session = await connect();
    expect((await session.listSessions()).map((item) => item.sessionId)).toEqual([sessionId]);
    expect(session.info.isBind).toBe(true);
  });

  test('sleeps without a phone, but not while recording', async () => {
    await session.close();
    await until(() => recorder.power.state === 'asleep', 'sleep');
    expect(recorder.acceptsConnections).toBe(true);
    await recorder.press('power', 2000);
    const { elapsedMs } =
      (await until(() => recorder.recording, 'a recording is in progress')) ?? {};
    await until(
      () => (recorder.recording?.elapsedMs ?? 0) > (elapsedMs ?? 0) + 40_000,
      'enough time has passed',
    );
    expect(recorder.power.state).toBe('awake');
    expect(recorder.power.isLit).toBe(false);
  });
});
