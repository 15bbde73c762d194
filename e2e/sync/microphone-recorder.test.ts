/** Tests recordings made with this device's microphone, with a real database and real files. */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHUNK_BYTES, PACKET_BYTES, SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  type AudioStore,
  AudioStoreError,
  MicrophoneRecorder,
  microphoneSerial,
  ProgressBoard,
} from '@linnet/sync';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { CALL_LEVEL, FileMicrophone } from '../support/file-microphone.ts';

const UID = 'owner';
const SERIAL = microphoneSerial();

let opus: OpusModule;
/** Two seconds of packets. */
let packets: Uint8Array;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  const tone = Int16Array.from(
    { length: 2 * SAMPLE_RATE },
    (_, index) => 9000 * Math.sin(index / 9),
  );
  packets = Buffer.concat(demuxOgg(await encodeAsRecorder(tone)).packets);
});

type Device = Awaited<ReturnType<typeof openDevice>>;

/** A phone or computer whose database and files survive a crash of the app. */
async function openDevice(folder: string) {
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  const { records, changes } = createStores(database);
  const microphone = new FileMicrophone(folder);
  const progress = new ProgressBoard();
  const files = openFileAudioStore(folder, opus);
  let isFull = false;
  const audio: AudioStore = {
    ...files,
    finish: async (...args) => {
      if (isFull) throw new AudioStoreError('storage_full');
      return files.finish(...args);
    },
  };
  const errors: unknown[] = [];
  let stored = 0;
  /** Packets and events passed to live text. */
  const live: (readonly [offset: number, packets: Uint8Array] | string)[] = [];
  let now = Date.parse('2026-03-01T08:00:00Z');

  async function startApp(): Promise<MicrophoneRecorder> {
    const app = new MicrophoneRecorder({
      ...{ microphone, records, audio, progress },
      source: 'microphone',
      serial: () => SERIAL,
      owns: (sn) => sn === SERIAL,
      clock: { now: () => now },
      onStored: () => {
        stored += 1;
      },
      onLevels: () => {},
      live: {
        add: (_id, offset, bytes) => void live.push([offset, bytes]),
        end: (_id, bytes) => void live.push(`end at ${bytes}`),
        drop: () => void live.push('drop'),
      },
      log: () => {},
      onError: (error) => void errors.push(error),
    });
    await app.signedIn(UID);
    return app;
  }

  return {
    ...{ microphone, records, changes, audio, progress, errors, live, startApp },
    get stored() {
      return stored;
    },
    /** Turns a simulated full disk on or off. */
    setFull: (full: boolean) => {
      isFull = full;
    },
    /** Advances the clock. */
    pass: (ms: number) => {
      now += ms;
    },
    /** Kills the app and starts it again. */
    async restart(): Promise<MicrophoneRecorder> {
      microphone.crash();
      progress.clear([...progress.get().keys()][0] ?? '');
      return startApp();
    },
    async readMaster(id: string): Promise<Buffer | null> {
      const master = await audio.master(id);
      if (!master) return null;
      return Buffer.concat(demuxOgg(new Uint8Array(await master.arrayBuffer())).packets);
    },
    close: () => database.close(),
  };
}

let folder: string;
let device: Device;
let app: MicrophoneRecorder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-microphone-'));
  device = await openDevice(folder);
  app = await device.startApp();
});
afterEach(async () => {
  expect(device.errors).toEqual([]);
  await device.close();
  await rm(folder, { recursive: true, force: true });
});

async function idOfRecording(): Promise<string> {
  const state = app.state.get();
  if (state.status !== 'recording') throw new Error(`the state is ${state.status}`);
  return state.id;
}

describe('a microphone recording', () => {
  it('is verified on this device when it stops, with exactly the recorded packets', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    expect((await device.records.summaries(UID)).map((row) => row.id)).toEqual([id]);
    await app.stop();

    expect(await device.readMaster(id)).toEqual(Buffer.from(packets));
    const record = await device.records.detail(id);
    expect(record).toMatchObject({
      sn: SERIAL,
      record_time: 2,
      copies: { phone: { status: 'verified' }, recorder: { status: 'absent' } },
    });
    expect(device.stored).toBe(1);
    expect(device.microphone.openCount).toBe(0);
    expect(device.progress.get().size).toBe(0);
    await expect(access(join(folder, `${id}.packets`))).rejects.toThrow('ENOENT');
  });

  it('passes its packets and its end to live text, even after an interruption', async () => {
    await app.start('meeting', null);
    const half = packets.slice(0, CHUNK_BYTES);
    await device.microphone.capture(half);
    app = await device.restart();
    await app.continue(null);
    await device.microphone.capture(packets);
    await app.stop();
    const all = half.length + packets.length;
    expect(device.live).toEqual([[0, half], [half.length, packets], `end at ${all}`]);
  });

  it('is removed from live text if it has no audio', async () => {
    await app.start('meeting', null);
    await app.stop();
    expect(device.live).toEqual(['end at 0', 'drop']);
  });

  it('omits the audio during a pause, and excludes the pause from the timer', async () => {
    await app.start('note', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    await app.pause();
    expect(await device.microphone.capture(packets)).toBe(false);
    device.pass(60_000);
    await app.resume();
    expect(app.state.get()).toMatchObject({
      pausedAt: null,
      startedAt: Date.parse('2026-03-01T08:01:00Z'),
    });
    await device.microphone.capture(packets);
    await app.stop();
    expect(await device.readMaster(id)).toEqual(Buffer.concat([packets, packets]));
  });

  it('continues after a crash as the same recording, and loses only the incomplete packet', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    await device.microphone.capture(packets.subarray(0, PACKET_BYTES / 2));
    app = await device.restart();
    expect(app.state.get()).toMatchObject({
      status: 'interrupted',
      recording: { id, recordedMs: 2000, code: null },
    });
    await app.continue(null);
    await device.microphone.capture(packets);
    await app.stop();
    expect(await device.readMaster(id)).toEqual(Buffer.concat([packets, packets]));
    expect(await device.records.summaries(UID)).toHaveLength(1);
  });

  it('can be ended after a crash', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    app = await device.restart();
    await app.stop();
    expect(await device.readMaster(id)).toEqual(Buffer.from(packets));
    expect(app.state.get().status).toBe('idle');
  });

  it('is ended by the next recording if it was interrupted', async () => {
    await app.start('meeting', null);
    const first = await idOfRecording();
    await device.microphone.capture(packets);
    app = await device.restart();
    await app.start('note', null);
    const secondId = await idOfRecording();
    await device.microphone.capture(packets);
    await app.stop();
    expect(secondId).not.toBe(first);
    expect(await device.readMaster(first)).toEqual(Buffer.from(packets));
    expect(await device.readMaster(secondId)).toEqual(Buffer.from(packets));
  });

  it('leaves nothing if it ends before any audio was recorded', async () => {
    await app.start('meeting', null);
    await app.stop();
    expect(await device.records.summaries(UID)).toEqual([]);

    await app.start('meeting', null);
    app = await device.restart();
    expect(app.state.get().status).toBe('idle');
    expect(await device.records.summaries(UID)).toEqual([]);
  });

  it('is interrupted when the microphone is unplugged', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    device.microphone.unplug();
    await expect
      .poll(() => app.state.get())
      .toMatchObject({ status: 'interrupted', recording: { id, code: 'disconnected' } });
    await app.continue(null);
    await device.microphone.capture(packets);
    await app.stop();
    expect(await device.readMaster(id)).toEqual(Buffer.concat([packets, packets]));
  });

  it('reports silence after ten seconds, until it receives sound again', async () => {
    await app.start('meeting', null);
    for (let count = 0; count < 4; count += 1) await device.microphone.capture(packets, 0);
    expect(app.state.get()).toMatchObject({ isSilent: false });
    await device.microphone.capture(packets, 0);
    expect(app.state.get()).toMatchObject({ isSilent: true });
    await device.microphone.capture(packets.subarray(0, CHUNK_BYTES), 90);
    expect(app.state.get()).toMatchObject({ isSilent: false });
    await app.stop();
  });

  it('keeps its packets when the disk is full, and is completed later', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    device.setFull(true);
    await app.stop();
    expect((await device.records.detail(id))?.problem).toEqual({
      step: 'fetch',
      code: 'storage_full',
    });
    device.setFull(false);
    await app.complete(id);
    expect(await device.readMaster(id)).toEqual(Buffer.from(packets));
    expect((await device.records.detail(id))?.problem).toBeNull();
  });

  it('is not changed by a retry once it is complete, even if its audio is only in the cloud', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    await app.stop();
    await app.complete(id);
    expect(await device.readMaster(id)).toEqual(Buffer.from(packets));

    await device.audio.remove(id);
    await device.records.update(id, {
      copies: {
        phone: { status: 'absent' },
        cloud: { status: 'stored', bytes: packets.length, sha256: null },
      },
    });
    await app.complete(id);
    expect(await device.records.detail(id)).not.toBeNull();
  });

  it('is removed if the user deletes it permanently while recording', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    await device.changes.edit(UID, { type: 'recording.delete', recording: id });
    await app.stop();
    expect(await device.records.detail(id)).toBeNull();
    await expect(access(join(folder, `${id}.packets`))).rejects.toThrow('ENOENT');
  });

  it('records both sides of a call, and their levels', async () => {
    await app.start('call', 'headset');
    const id = await idOfRecording();
    expect(device.microphone.sources).toEqual({ inputId: 'headset', withSharedAudio: true });
    expect(app.state.get()).toMatchObject({ scene: 'call', sharing: 'active' });
    await device.microphone.capture(packets);
    await app.stop();
    // Two seconds are 20 frames of two bytes each.
    expect(await device.audio.callLevels(id)).toEqual(new Uint8Array(40).fill(CALL_LEVEL));
    await device.audio.remove(id);
    expect(await device.audio.callLevels(id)).toBeNull();
  });

  it('records both sides of a call again when it continues after a crash', async () => {
    await app.start('call', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    app = await device.restart();
    await app.continue(null);
    expect(device.microphone.sources?.withSharedAudio).toBe(true);
    expect(app.state.get()).toMatchObject({ id, sharing: 'active' });
    await device.microphone.capture(packets);
    await app.stop();
    expect(await device.readMaster(id)).toEqual(Buffer.concat([packets, packets]));
    expect(await device.audio.callLevels(id)).toHaveLength(80);
  });

  it('continues with the microphone when the user stops sharing a call', async () => {
    await app.start('call', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    device.microphone.stopSharing();
    expect(app.state.get()).toMatchObject({ status: 'recording', sharing: 'ended' });
    await device.microphone.capture(packets);
    await app.stop();
    expect(await device.readMaster(id)).toEqual(Buffer.concat([packets, packets]));
  });

  it('shares audio only in calls, and only if the browser supports it', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    expect(app.state.get()).toMatchObject({ sharing: 'none' });
    await app.stop();
    expect(await device.audio.callLevels(id)).toBeNull();

    device.microphone.supportsSharedAudio = false;
    await app.start('call', null);
    expect(device.microphone.sources).toEqual({ inputId: null, withSharedAudio: false });
    expect(app.state.get()).toMatchObject({ sharing: 'none' });
    await app.stop();
  });

  it('leaves nothing if the user cancels sharing', async () => {
    device.microphone.refusal = 'sharing_canceled';
    await expect(app.start('call', null)).rejects.toMatchObject({ code: 'sharing_canceled' });
    expect(app.state.get().status).toBe('idle');
    expect(await device.records.summaries(UID)).toEqual([]);
  });

  it('does not start without access to the microphone', async () => {
    device.microphone.refusal = 'permission_denied';
    await expect(app.start('meeting', null)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(app.state.get().status).toBe('idle');
    expect(await device.records.summaries(UID)).toEqual([]);
  });

  it('leaves nothing, and releases the microphone, if its file cannot be created', async () => {
    device.microphone.recordFailure = 'storage_full';
    await expect(app.start('meeting', null)).rejects.toMatchObject({ code: 'storage_full' });
    expect(app.state.get().status).toBe('idle');
    expect(device.microphone.openCount).toBe(0);
    expect(await device.records.summaries(UID)).toEqual([]);
  });

  it('is completed when the user signs out', async () => {
    await app.start('meeting', null);
    const id = await idOfRecording();
    await device.microphone.capture(packets);
    await app.signingOut();
    expect(await device.readMaster(id)).toEqual(Buffer.from(packets));
  });
});

it('never loses or duplicates audio, whatever happens between start and stop', async () => {
  const step = fc.constantFrom(
    ...([
      'start',
      'capture',
      'capture',
      'pause',
      'resume',
      'crash',
      'unplug',
      'continue',
      'stop',
    ] as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const innerFolder = await mkdtemp(join(tmpdir(), 'linnet-microphone-'));
      const phone = await openDevice(innerFolder);
      let runningApp = await phone.startApp();
      /** How many times the packets were recorded, keyed by recording ID. */
      const captureCounts = new Map<string, number>();
      for (const step of steps) {
        const before = runningApp.state.get();
        if (step === 'start') await runningApp.start('note', null);
        else if (step === 'pause') await runningApp.pause();
        else if (step === 'resume') await runningApp.resume();
        else if (step === 'continue') await runningApp.continue(null);
        else if (step === 'stop') await runningApp.stop();
        else if (step === 'crash') runningApp = await phone.restart();
        else if (step === 'unplug') {
          phone.microphone.unplug();
          // Commands run in order, so this waits until the interruption has been handled.
          await runningApp.pause();
        } else if (before.status === 'recording' && (await phone.microphone.capture(packets))) {
          captureCounts.set(before.id, (captureCounts.get(before.id) ?? 0) + 1);
        }
      }
      await runningApp.stop();
      const rows = await phone.records.summaries(UID);
      expect(rows.map(({ id }) => id).sort()).toEqual([...captureCounts.keys()].sort());
      for (const [id, count] of captureCounts) {
        expect(await phone.readMaster(id)).toEqual(Buffer.concat(Array(count).fill(packets)));
      }
      expect(phone.errors).toEqual([]);
      await phone.close();
      await rm(innerFolder, { recursive: true });
    }),
    { numRuns: 25 },
  );
});
