/** Tests the transfer of sessions from the virtual recorder to a phone in Node, over a WebSocket. */
import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { writeWave } from '@linnet/audio/wave';
import type { Clock } from '@linnet/device/clock';
import { openRecorderSession, type RecorderSession } from '@linnet/device/session';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  type AudioStore,
  AudioStoreError,
  type ChangeStore,
  type CopyState,
  cloudCopy,
  finishLeftovers,
  ProgressBoard,
  parseSha256,
  RecorderSync,
  type RecorderSyncOptions,
  type RecordStore,
  StorageFull,
  type StorageSetting,
  type Clock as SyncClock,
} from '@linnet/sync';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { MICROPHONE_SCENE, readConfig } from '@linnet/virtual-recorder/config';
import { loadScenes, type Scene } from '@linnet/virtual-recorder/scene';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { createCommandClock, createPhoneClock } from '@linnet/virtual-recorder/testing/phone-clock';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FillableDatabase } from '../support/fillable-database.ts';
import { RecorderControl } from '../support/recorder-control.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';
/** The recorder's speed as a multiple of real time. */
const SPEED = 60;
/**
 * The speed for tests in which the recorder stops responding. Low enough that a busy machine doesn't cause a timeout.
 */
const SILENT_SPEED = 20;
/**
 * Maximum duration of the sessions other than the oldest, in seconds. The oldest is read first, and some tests need a
 * transfer that takes seconds.
 */
const SHORT_SECONDS = 15;
/** Makes the microphone's scene longer than any recording. */
const MICROPHONE_REPETITIONS = 30;

let opus: OpusModule;
let scenes: readonly Scene[];
let dir: string;
let recorder: RunningRecorder;
let control: RecorderControl;
let database: FillableDatabase;
let records: RecordStore;
let changes: ChangeStore;
let audio: AudioStore;
let progress: ProgressBoard;
/** The received chunks of recordings in progress, in order. */
let liveChunks: { id: string; index: number }[];
/** The live text input of each recording: consecutive packets, and the size at its end, in bytes. */
let live: Map<string, { bytes: number; end: number | null }>;
/** How many times all sessions have been read. */
let allReadCount: number;
const setting = { devcieSave: 1, appSave: 1, cloudSave: 1 } as {
  -readonly [K in keyof StorageSetting]: StorageSetting[K];
};
/** End of the grace period for deletions on the recorder, in milliseconds since 1970. */
let graceEnd: number;

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  const loaded = await loadScenes(readConfig({}).scenesDir, opus);
  const oldest = loaded.at(-1)?.name;
  const shortPackets = (SHORT_SECONDS * SAMPLE_RATE) / PACKET_SAMPLES;
  scenes = loaded.map(({ name, title, mode, scene, packets: all = [] }) => {
    // Repeat the microphone's scene, because encoding the silence after it takes most of the CPU time.
    if (name === MICROPHONE_SCENE) {
      const packets = Array.from({ length: MICROPHONE_REPETITIONS }, () => all).flat();
      return { name, title, mode, scene, packets, samples: new Int16Array() };
    }
    const packets = name === oldest ? all : all.slice(0, shortPackets);
    return { name, title, mode, scene, packets, samples: new Int16Array() };
  });
});

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-sync-'));
  recorder = await startRecorder(
    readConfig({ RECORDER_PORT: '0', RECORDER_CONFIRM: 'auto', DATA_DIR: dir }),
    undefined,
    scenes,
  );
  control = new RecorderControl(recorder.url);
  await control.setSpeed(SPEED);
  database = new FillableDatabase(await openNodeSqlite(join(dir, 'phone.sqlite3')));
  await migrate(database);
  ({ records, changes } = createStores(database));
  audio = openFileAudioStore(dir, opus);
  progress = new ProgressBoard();
  liveChunks = [];
  live = new Map();
  allReadCount = 0;
  setting.devcieSave = 1;
  graceEnd = 0;
});

afterEach(async () => {
  await database.close();
  await recorder.stop();
  await rm(dir, { recursive: true });
});

function options(): Omit<RecorderSyncOptions, 'session'> {
  return {
    uid: UID,
    records,
    audio,
    progress,
    storage: async () => ({
      setting: { ...setting },
      earliestDeletions: {
        recorder: setting.devcieSave === 1 ? null : graceEnd,
        phone: null,
        cloud: null,
      },
    }),
    isStoragePersistent: () => true,
    onStored: () => {},
    onLiveChunk: (id, index) => liveChunks.push({ id, index }),
    live: {
      add(id, offset, { length }) {
        // A packet at any other position leaves a gap or repeats audio, so the final size differs.
        const { bytes } = live.get(id) ?? { bytes: 0 };
        if (offset === bytes) live.set(id, { bytes: bytes + length, end: null });
      },
      end: (id, end) => void live.set(id, { bytes: live.get(id)?.bytes ?? 0, end }),
      drop: (id) => void live.delete(id),
    },
    onAllRead: () => {
      allReadCount += 1;
    },
    clock: fastClock,
    log: () => {},
  };
}

/** How much faster than real time the phone's retry delays elapse. */
const RETRY_SPEED = 10;
const startedAt = Date.now();
const fastClock: SyncClock = {
  now: () => startedAt + (Date.now() - startedAt) * RETRY_SPEED,
  elapsed: () => performance.now() * RETRY_SPEED,
  sleep: async (ms, signal) => void (await delay(ms / RETRY_SPEED, undefined, { signal })),
};

/** Connects a phone and starts the sync. `running` settles when the link ends. */
async function connect(
  clock: Clock = createCommandClock(recorder.recorder.clock),
  overrides: Partial<RecorderSyncOptions> = {},
) {
  const [found] = await createWebSocketFinder({ recorders: [recorder.url] }).find();
  if (!found) throw new Error('no recorder found');
  const session = await openRecorderSession(await found.connect(), { clock });
  const sync = new RecorderSync({ session, ...options(), ...overrides });
  const stop = new AbortController();
  const running = sync.run(stop.signal);
  return {
    session,
    sync,
    running,
    async end() {
      stop.abort();
      await session.close();
      await running;
    },
  };
}

const rows = () => records.summaries(UID);
const areAllVerified = async () => {
  const list = await rows();
  return list.length > 0 && list.every(({ copies }) => copies.phone.status === 'verified');
};

const isReadingOther = (id: string) => [...progress.get().keys()].some((other) => other !== id);

/** Wraps an audio store so that writes to removed files fail, as in browsers. */
function withFailingWritesAfterRemoval(store: AudioStore): AudioStore {
  const removed = new Set<string>();
  return {
    ...store,
    async openPackets(id, chunkBytes) {
      const file = await store.openPackets(id, chunkBytes);
      return {
        get bytes() {
          return file.bytes;
        },
        async append(bytes) {
          if (removed.has(id)) throw new AudioStoreError('io_failed');
          await file.append(bytes);
        },
        close: () => file.close(),
      };
    },
    async remove(id) {
      removed.add(id);
      await store.remove(id);
    },
  };
}

const countBytes = (copy: CopyState) => (copy.status === 'absent' ? 0 : copy.bytes);

/** Asserts that every recording on the phone has the same packets as its session on the recorder. */
async function expectEqualToRecorder(): Promise<void> {
  for (const row of await rows()) {
    const recorderPackets = await control.readPackets(row.device_file_id as number);
    const master = await audio.master(row.id);
    const phonePackets = Buffer.concat(
      demuxOgg(new Uint8Array(await (master as Blob).arrayBuffer())).packets,
    );
    expect(phonePackets.equals(recorderPackets)).toBe(true);
    // There is at least one peak per second, up to 100 in total.
    expect(row.peaks.length).toBeGreaterThan(Math.min(100, recorderPackets.length / 8000));
    expect(Math.abs(row.record_time - recorderPackets.length / 8000)).toBeLessThanOrEqual(1);
  }
}

describe('transferring sessions to the phone', () => {
  it('transfers each existing session exactly once', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    const before = await rows();
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(before.every(({ is_new }) => is_new === 0)).toBe(true);
    await expectEqualToRecorder();
    await phone.end();

    const secondConnection = await connect();
    await waitUntil('the sessions are listed', () => secondConnection.sync.sessions);
    await secondConnection.end();
    expect((await rows()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await areAllVerified()).toBe(true);
  });

  it('resumes at the first byte that is not durable after the link breaks', async () => {
    let cuts = 0;
    let lastBytes = 0;
    while (!(await areAllVerified())) {
      await control.setFaults({ dropAfterBytes: 100_000 + cuts * 7919 });
      const phone = await connect();
      await Promise.race([phone.running, waitUntil('everything is verified', areAllVerified)]);
      await phone.end();
      const durable = (await rows()).reduce((sum, { copies }) => sum + countBytes(copies.phone), 0);
      // Each connection resumes at the durable bytes, which never decrease.
      expect(durable).toBeGreaterThanOrEqual(lastBytes);
      lastBytes = durable;
      cuts += (await areAllVerified()) ? 0 : 1;
    }
    expect(cuts).toBeGreaterThan(3);
    await expectEqualToRecorder();
  });

  it('finishes a transferred session without a recorder after a crash before its verification', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    await phone.end();
    const [row] = await rows();
    if (!row) throw new Error('no recording');
    const packets = await control.readPackets(row.device_file_id as number);
    await writeFile(join(dir, `${row.id}.packets`), packets);
    await rm(join(dir, `${row.id}.wav`));
    await records.update(row.id, {
      copies: { phone: { status: 'whole', bytes: packets.length } },
    });

    await finishLeftovers({ ...options() });
    expect(await areAllVerified()).toBe(true);
    expect((await readFile(join(dir, `${row.id}.wav`))).length).toBeGreaterThan(44);
    await expectEqualToRecorder();
  });

  it('discards a corrupted copy, and reads the session again', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    await phone.end();
    const [row] = await rows();
    if (!row) throw new Error('no recording');
    const packets = await control.readPackets(row.device_file_id as number);
    // The length is right but some bytes are wrong, as may happen in a power failure.
    const corrupted = Buffer.from(packets);
    corrupted.fill(0, 3200, 4800);
    await writeFile(join(dir, `${row.id}.packets`), corrupted);
    await truncate(join(dir, `${row.id}.packets`), Math.floor(corrupted.length / 3200) * 1600);
    await records.update(row.id, { copies: { phone: { status: 'partial', bytes: 1600 } } });

    const secondConnection = await connect();
    await waitUntil('the recording is verified', areAllVerified);
    await secondConnection.end();
    await expectEqualToRecorder();
  });

  it.each([-16_000, 16_000])(
    'keeps the bytes of a session whose reported length is off by %d, and continues with other sessions',
    async (lengthLie) => {
      await control.setFaults({ lengthLie });
      const phone = await connect();
      const haveAllFailed = async () => (await rows()).every(({ problem }) => problem !== null);
      await waitUntil(
        'all have failed',
        async () => (await rows()).length > 1 && (await haveAllFailed()),
      );
      const failedRows = await rows();
      for (const { problem, copies, device_file_id } of failedRows) {
        expect(problem).toEqual({ step: 'fetch', code: 'checksum_differs' });
        const recorderPackets = await control.readPackets(device_file_id as number);
        expect(countBytes(copies.phone)).toBe(recorderPackets.length);
      }
      // The recorder reports the right length by the time the user retries.
      await control.setFaults({ lengthLie: 0 });
      phone.sync.request('all');
      await waitUntil('everything is verified', areAllVerified);
      await expectEqualToRecorder();
      await phone.end();
    },
  );

  it('skips a session if the recorder sends no data, and continues with the others', async () => {
    await control.setSpeed(SILENT_SPEED);
    const { flash } = recorder.recorder;
    const [oldest, ...others] = flash.sessions();
    if (!oldest) return expect.fail('no session');
    const packets = join(flash.dir, 'sessions', `${oldest.sessionId}.opus`);
    await rename(packets, `${packets}.away`);
    const phone = await connect(createPhoneClock(recorder.recorder.clock));
    const failedRows = async () => (await rows()).filter(({ problem }) => problem !== null);
    await waitUntil('the transfer has failed', async () => (await failedRows()).length > 0);
    const [failed] = await failedRows();
    expect(failed?.device_file_id).toBe(oldest.sessionId);
    expect(failed?.problem).toEqual({ step: 'fetch', code: 'not_sent' });
    const verified = async () =>
      (await rows()).filter(({ copies }) => copies.phone.status === 'verified');
    await waitUntil(
      'the others are verified',
      async () => (await verified()).length === others.length,
    );
    // The session is readable again by the time the user retries.
    await rename(`${packets}.away`, packets);
    phone.sync.request('all');
    await waitUntil('everything is verified', areAllVerified);
    expect(await failedRows()).toEqual([]);
    await expectEqualToRecorder();
    await phone.end();
  });

  it.each([
    ['hardware_abnormal', 'recorder_fault'],
    ['busy', 'recorder_busy'],
    ['request_malformed', 'recorder_refused'],
  ] as const)(
    'reports why the recorder rejects a session (%s), and retries it after the other sessions',
    async (result, code) => {
      const [oldest] = recorder.recorder.flash.sessions();
      if (!oldest) return expect.fail('no session');
      await control.setFaults({ refuseSession: { sessionId: oldest.sessionId, result } });
      const phone = await connect();
      const row = async () =>
        (await rows()).find(({ device_file_id }) => device_file_id === oldest.sessionId);
      await waitUntil('the others are verified', async () =>
        (await rows()).every(
          (record) =>
            record.device_file_id === oldest.sessionId || record.copies.phone.status === 'verified',
        ),
      );
      await waitUntil('the problem is reported', async () => (await row())?.problem);
      expect((await row())?.problem).toEqual({ step: 'fetch', code });
      // The link still works, so a recording can be started over it.
      expect((await phone.session.status()).recording.state).toBe('idle');
      await phone.session.bind();
      await phone.session.startRecording({ mode: 'normal', scene: 'note' });
      await phone.session.stopRecording();
      // The session is transferred automatically once the recorder accepts the request.
      await control.setFaults({ refuseSession: null });
      await waitUntil('everything is verified', areAllVerified);
      expect((await row())?.problem).toBeNull();
      await expectEqualToRecorder();
      await phone.end();
    },
  );

  it('keeps the link open when the session list is malformed, and requests the list again', async () => {
    await control.setFaults({ listMalformed: true });
    const logged: string[] = [];
    const phone = await connect(undefined, { log: (event) => logged.push(event) });
    await waitUntil(
      'the list has been requested again',
      () => logged.filter((event) => event === 'list.failed').length > 1,
    );
    expect((await phone.session.status()).recording.state).toBe('idle');
    expect(phone.sync.listFailure).toBe('reply_malformed');
    await control.setFaults({ listMalformed: false });
    await waitUntil('everything is verified', areAllVerified);
    expect(phone.sync.listFailure).toBeNull();
    await phone.end();
  });

  it('requests the list again on time after the clock was set back', async () => {
    await control.setFaults({ listMalformed: true });
    let listFailures = 0;
    const phone = await connect(undefined, {
      clock: {
        ...fastClock,
        now: () => fastClock.now() - (listFailures === 0 ? 0 : 26 * 3_600_000),
      },
      log: (event) => {
        if (event === 'list.failed') listFailures += 1;
      },
    });
    await waitUntil('the list has been requested again', () => listFailures > 1);
    await phone.end();
  });

  it('requests the list again if the delay elapses during other work', async () => {
    await control.setFaults({ listMalformed: true });
    let passed = 0;
    let listFailures = 0;
    const phone = await connect(undefined, {
      clock: { ...fastClock, elapsed: () => fastClock.elapsed() + passed },
      log: (event) => {
        if (event === 'list.failed') listFailures += 1;
      },
      // Called between the check for due requests and the wait for the next request.
      onAllRead: () => {
        if (listFailures === 1) passed = 3_600_000;
      },
    });
    await waitUntil('the list has been requested again', () => listFailures > 1);
    await phone.end();
  });

  it('dates a recording by its transfer if the recorder did not know the time', async () => {
    const sessionId = await control.addSession(writeWave(new Int16Array(32_000), 16_000), 0);
    const before = fastClock.now();
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    const row = async () =>
      (await rows()).find(({ device_file_id }) => device_file_id === sessionId);
    const first = await row();
    expect(Date.parse(first?.create_date ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first?.create_date ?? '')).toBeLessThanOrEqual(fastClock.now());
    // Later listings change neither the id nor the date.
    await phone.sync.refresh();
    expect(await row()).toMatchObject({ id: first?.id, create_date: first?.create_date });
    await phone.end();
  });

  it('pauses when the disk is full, and resumes over the same link once there is disk space', async () => {
    await control.setFaults({ dropAfterBytes: 50_000 });
    const first = await connect();
    await first.running;
    await first.end();
    const durableBytes = async () =>
      (await rows()).reduce((sum, { copies }) => sum + countBytes(copies.phone), 0);
    const before = await durableBytes();
    expect(before).toBeGreaterThan(0);

    database.isFull = true;
    const phone = await connect();
    await expect(phone.running).rejects.toBeInstanceOf(StorageFull);
    await expect(phone.sync.run(new AbortController().signal)).rejects.toBeInstanceOf(StorageFull);
    expect(await durableBytes()).toBe(before);
    database.isFull = false;
    const stop = new AbortController();
    const running = phone.sync.run(stop.signal);
    await waitUntil('everything is verified', areAllVerified);
    stop.abort();
    await phone.session.close();
    await running;
    await expectEqualToRecorder();
  });

  it('keeps the record of a session deleted on the recorder until the phone has verified its copy', async () => {
    const finish = audio.finish;
    let finished = 0;
    audio = {
      ...audio,
      finish: async () => {
        throw new AudioStoreError('storage_full');
      },
    };
    const phone = await connect();
    const row = await waitUntil('a session cannot be finished', async () =>
      (await rows()).find(({ problem }) => problem?.code === 'storage_full'),
    );
    expect(await phone.sync.deleteOnRecorder(row.device_file_id as number)).toBe(row.id);
    expect(phone.sync.sessions?.map(({ id }) => id)).not.toContain(row.id);
    await phone.end();

    audio = {
      ...audio,
      finish: (...args) => {
        if (args[0] === row.id) finished += 1;
        return finish(...args);
      },
    };
    // Two calls run at once if a recorder connects during the cleanup at startup.
    await Promise.all([finishLeftovers({ ...options() }), finishLeftovers({ ...options() })]);
    expect(finished).toBe(1);
    const copies = async () => (await rows()).find(({ id }) => id === row.id)?.copies;
    expect((await copies())?.phone.status).toBe('verified');
    const secondConnection = await connect();
    await waitUntil('the recorder’s copy is marked as absent', async () => {
      const current = await copies();
      return current?.recorder.status === 'absent' && current.phone.status === 'verified';
    });
    await secondConnection.end();
  });

  it('updates the recorder copy when a session is deleted elsewhere or listed again', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    const [deleted, listed] = await rows();
    if (!deleted || !listed) throw new Error('no recordings');
    const onRecorder = async (id: string) =>
      (await rows()).find((row) => row.id === id)?.copies.recorder.status;
    await phone.session.deleteSession(deleted.device_file_id as number);
    await phone.sync.refresh();
    expect(await onRecorder(deleted.id)).toBe('absent');
    expect(await onRecorder(listed.id)).toBe('verified');
    // Recordings downloaded from the cloud have this status.
    await records.update(listed.id, { copies: { recorder: { status: 'absent' } } });
    await phone.sync.refresh();
    expect(await onRecorder(listed.id)).toBe('whole');
    await phone.end();
  });

  it('transfers a session that could not be stored on a full disk once there is disk space', async () => {
    const phone = await connect();
    await waitUntil('all sessions are read', () => allReadCount > 0);
    const before = (await rows()).length;
    database.isFull = true;
    let listedCount = 0;
    phone.sync.subscribe(() => {
      listedCount = phone.sync.sessions?.length ?? 0;
    });
    const rejection = expect(phone.running).rejects.toBeInstanceOf(StorageFull);
    await control.addSession(writeWave(new Int16Array(32_000), 16_000));
    await rejection;
    expect(phone.sync.sessions).toHaveLength(before + 1);
    expect(listedCount).toBe(before + 1);
    expect(await rows()).toHaveLength(before);
    database.isFull = false;
    const stop = new AbortController();
    const running = phone.sync.run(stop.signal);
    await waitUntil(
      'the session is stored',
      async () => (await rows()).length === before + 1 && (await areAllVerified()),
    );
    stop.abort();
    await phone.session.close();
    await running;
  });

  it('does not restore permanently deleted recordings', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    await phone.end();
    const before = await rows();
    await changes.edit(UID, { type: 'recording.delete', recording: before[0]?.id as string });
    const secondConnection = await connect();
    await waitUntil('the sessions are listed', () => secondConnection.sync.sessions);
    expect((await rows()).length).toBe(before.length - 1);
    await secondConnection.end();
  });

  it.each(['before its audio is removed', 'after its audio is removed'])(
    'stops reading a recording that is permanently deleted, %s',
    async (when) => {
      audio = withFailingWritesAfterRemoval(audio);
      // At this speed, the transfer of a session takes longer than the test.
      await control.setSpeed(0.3);
      const phone = await connect();
      const transferred = await waitUntil('a part of a session is durable', async () =>
        (await rows()).find(
          ({ copies }) => copies.phone.status === 'partial' && progress.get().size,
        ),
      );
      await changes.edit(UID, { type: 'recording.delete', recording: transferred.id });
      if (when === 'after its audio is removed') await audio.remove(transferred.id);
      await waitUntil(
        'another session is being read',
        () => isReadingOther(transferred.id),
        10_000,
      );
      await control.setSpeed(SPEED);
      await waitUntil('the others are verified', areAllVerified);
      await phone.end();
      expect((await rows()).map(({ id }) => id)).not.toContain(transferred.id);
      expect((await readdir(dir)).filter((name) => name.startsWith(transferred.id))).toEqual([]);
      expect(phone.sync.sessions?.map(({ id }) => id)).toContain(transferred.id);
    },
  );

  it('deletes verified sessions on the recorder only if devcieSave is off', async () => {
    setting.devcieSave = 0;
    const phone = await connect();
    await waitUntil(
      'the recorder is empty',
      async () => (await phone.session.listSessions()).length === 0 && (await areAllVerified()),
    );
    expect((await rows()).every(({ copies }) => copies.recorder.status === 'absent')).toBe(true);
    await phone.end();
  });

  it.each([
    ['without a digest', null],
    ['with the digest of different audio', 'cd'.repeat(32)],
  ])(
    'deletes no session because of a cloud file that another client registered %s',
    async (_, audio_sha256) => {
      const phone = await connect();
      await waitUntil('the sessions are listed', async () => (await rows()).length > 1);
      await phone.end();
      // The file registered on the server isn't the session's audio.
      const registered = { url: 'http://store/x', file_size: 1, audio_sha256 };
      for (const { id } of await rows()) {
        await audio.remove(id);
        await records.update(id, {
          copies: { phone: { status: 'absent' }, cloud: cloudCopy(registered) },
        });
      }
      setting.devcieSave = 0;
      const secondConnection = await connect(undefined, {
        cloudDigest: async () => ({ ok: true, data: parseSha256(audio_sha256) }),
      });
      // Each session is read from the recorder before its copy there may be deleted.
      await waitUntil(
        'the recorder is empty',
        async () => secondConnection.sync.sessions?.length === 0,
      );
      expect(await areAllVerified()).toBe(true);
      for (const { id, copies } of await rows()) {
        expect(copies.cloud.status).toBe('stored');
        expect(await audio.master(id)).not.toBeNull();
      }
      await secondConnection.end();
    },
  );

  it('deletes sessions with a cloud copy only after the server has confirmed the copy', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    for (const { id, copies } of await rows()) {
      if (copies.phone.status !== 'verified') return expect.fail('not verified');
      const { sha256, bytes } = copies.phone;
      await audio.remove(id);
      await records.update(id, {
        copies: { phone: { status: 'absent' }, cloud: { status: 'stored', bytes, sha256 } },
      });
    }
    await phone.end();
    setting.devcieSave = 0;
    const digests = new Map((await rows()).map(({ id, copies }) => [id, copies.cloud]));
    const [lost, ...confirmed] = (await rows()).map(({ id }) => id);
    const checked = new Set<string>();
    const secondConnection = await connect(undefined, {
      cloudDigest: async (id) => {
        checked.add(id);
        const copy = digests.get(id);
        const digest = id === lost || copy?.status !== 'verified' ? null : copy.sha256;
        return { ok: true, data: digest };
      },
    });
    await waitUntil(
      'the others are deleted',
      async () => secondConnection.sync.sessions?.length === 1,
    );
    await waitUntil('all are checked', () => checked.size === confirmed.length + 1);
    expect(secondConnection.sync.sessions?.map(({ id }) => id)).toEqual([lost]);
    const receipt = (await records.detail(confirmed[0] as string))?.receipt;
    expect(receipt?.deletions).toMatchObject([
      { place: 'recorder', because: 'storage_setting', survivor: { place: 'cloud' } },
    ]);
    await secondConnection.end();
  });

  it('deletes no session if devcieSave is turned on during the check with the server', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    for (const { id, copies } of await rows()) {
      if (copies.phone.status !== 'verified') return expect.fail('not verified');
      const { sha256, bytes } = copies.phone;
      await audio.remove(id);
      await records.update(id, {
        copies: { phone: { status: 'absent' }, cloud: { status: 'stored', bytes, sha256 } },
      });
    }
    await phone.end();
    setting.devcieSave = 0;
    const digests = new Map((await rows()).map(({ id, copies }) => [id, copies.cloud]));
    const secondConnection = await connect(undefined, {
      cloudDigest: async (id) => {
        setting.devcieSave = 1;
        const copy = digests.get(id);
        return { ok: true, data: copy?.status === 'verified' ? copy.sha256 : null };
      },
    });
    await waitUntil('the retention is checked', () => setting.devcieSave === 1);
    const passes = allReadCount;
    secondConnection.sync.recheck();
    await waitUntil('the retention is checked again', () => allReadCount > passes);
    expect(secondConnection.sync.sessions).toHaveLength(digests.size);
    await secondConnection.end();
  });

  it('deletes no session before the end of the grace period', async () => {
    setting.devcieSave = 0;
    graceEnd = Number.POSITIVE_INFINITY;
    const phone = await connect();
    await waitUntil('all sessions are read', () => allReadCount > 0);
    phone.sync.recheck();
    await waitUntil('the retention is checked again', () => allReadCount > 1);
    expect(phone.sync.sessions?.length).toBeGreaterThan(1);
    graceEnd = 0;
    phone.sync.recheck();
    await waitUntil('the recorder is empty', () => phone.sync.sessions?.length === 0);
    await phone.end();
  });

  it('reads a session again before deleting it on the recorder if its file is missing on the phone', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    const [row] = await rows();
    if (!row) return expect.fail('no recording');
    await audio.remove(row.id);
    setting.devcieSave = 0;
    phone.sync.recheck();
    await waitUntil('the recorder is empty', () => phone.sync.sessions?.length === 0);
    expect(await audio.master(row.id)).not.toBeNull();
    await phone.end();
  });

  it('refreshes the list once after several deletions', async () => {
    const phone = await connect();
    await waitUntil('all sessions are read', () => allReadCount > 0);
    const count = phone.sync.sessions?.length ?? 0;
    expect(count).toBeGreaterThan(1);
    let lists = 0;
    phone.sync.subscribe(() => {
      lists += 1;
    });
    setting.devcieSave = 0;
    phone.sync.recheck();
    await waitUntil('the recorder is empty', () => phone.sync.sessions?.length === 0);
    expect(lists).toBe(1);
    await phone.end();
  });

  it('transfers a new recording automatically after it ends', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    const before = (await rows()).length;
    await phone.session.bind();
    const { sessionId } = await phone.session.startRecording({ mode: 'normal', scene: 'call' });
    await waitUntil('a second has been recorded', async () => {
      const { recording } = await phone.session.status();
      return recording.state === 'recording' && recording.elapsedMs > 1000;
    });
    await phone.session.stopRecording();
    await waitUntil(
      'the new recording is verified',
      async () => (await rows()).length === before + 1 && (await areAllVerified()),
    );
    const added = (await rows()).find(({ device_file_id }) => device_file_id === sessionId);
    expect(added?.scene).toBe('call');
    await expectEqualToRecorder();
    await phone.end();
  });
});

describe('a recording in progress', () => {
  const status = async (id: string) =>
    (await records.work([id])).get(id)?.copies.phone.status ?? 'unknown';
  const isRead = (id: string) => progress.get().get(id)?.step === 'record';
  const lastChunk = () => liveChunks.at(-1)?.index ?? -1;

  /** Deletes all sessions on the recorder. */
  async function clearRecorder(): Promise<void> {
    for (const { sessionId } of recorder.recorder.flash.sessions()) {
      await recorder.recorder.sessions.delete(sessionId);
    }
  }

  async function startRecording(session: RecorderSession): Promise<string> {
    await session.bind();
    const { sessionId } = await session.startRecording({ mode: 'normal', scene: 'meeting' });
    return (
      await waitUntil('the recording has a record', async () =>
        (await rows()).find(({ device_file_id }) => device_file_id === sessionId),
      )
    ).id;
  }

  it('is transferred while it grows, and is verified after it ends', async () => {
    await clearRecorder();
    const phone = await connect();
    const id = await startRecording(phone.session);
    await waitUntil('a minute is durable', () => lastChunk() > 300);
    expect(progress.get().get(id)).toEqual({ step: 'record', source: 'recorder' });
    expect(await status(id)).toBe('partial');
    await phone.session.stopRecording();
    await waitUntil('the recording is verified', async () => (await status(id)) === 'verified');
    expect(liveChunks).toEqual(liveChunks.map((_, index) => ({ id, index })));
    expect(live.get(id)?.end).toBe(live.get(id)?.bytes);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('resumes after link losses without losing or repeating data', async () => {
    await clearRecorder();
    let phone = await connect();
    const id = await startRecording(phone.session);
    for (let cut = 0; cut < 12; cut += 1) {
      const before = lastChunk();
      await control.setFaults({ dropAfterBytes: 1000 + cut * 3701 });
      await phone.running;
      await phone.end();
      phone = await connect();
      await waitUntil('another chunk is durable', () => lastChunk() > before);
      expect((await phone.session.status()).recording.state).toBe('recording');
    }
    // The recording ends while the link is down, so the phone only learns this from the session list.
    await control.setFaults({ dropAfterBytes: 1000 });
    await phone.running;
    await phone.end();
    await control.holdRecordButton();
    phone = await connect();
    await waitUntil('the recording is verified', async () => (await status(id)) === 'verified');
    expect(liveChunks).toEqual(liveChunks.map((_, index) => ({ id, index })));
    expect(live.get(id)?.end).toBe(live.get(id)?.bytes);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('has priority over waiting sessions, but not over requested sessions', async () => {
    // At this speed, the transfer of a session takes longer than the test.
    await control.setSpeed(1);
    const phone = await connect();
    const first = await waitUntil('a session is being read', () => [...progress.get().keys()][0]);
    const id = await startRecording(phone.session);
    await waitUntil('the recording is being read', () => isRead(id));
    expect(progress.get().has(first)).toBe(false);
    const listed = phone.sync.sessions?.find((each) => each.id === first);
    phone.sync.request([listed?.item.sessionId as number]);
    await waitUntil('the requested session is being read', () => progress.get().has(first));
    expect(isRead(id)).toBe(false);
    await control.setSpeed(SPEED);
    await waitUntil('reading has resumed', () => isRead(id));
    expect(await status(first)).toBe('verified');
    await phone.session.stopRecording();
    await waitUntil('everything is verified', areAllVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('resumes after the request for another session is withdrawn', async () => {
    await control.setSpeed(1);
    const phone = await connect();
    const first = await waitUntil('a session is being read', () => [...progress.get().keys()][0]);
    const id = await startRecording(phone.session);
    await waitUntil('the recording is being read', () => isRead(id));
    const listed = phone.sync.sessions?.find((each) => each.id === first);
    const requested = [listed?.item.sessionId as number];
    phone.sync.request(requested);
    await waitUntil('the requested session is being read', () => progress.get().has(first));
    phone.sync.withdraw(requested);
    await waitUntil('reading has resumed', () => isRead(id));
    expect(await status(first)).toBe('partial');
    await control.setSpeed(SPEED);
    await phone.session.stopRecording();
    await waitUntil('everything is verified', areAllVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('blocks neither the link nor waiting sessions while it is paused', async () => {
    await control.setSpeed(SILENT_SPEED);
    await clearRecorder();
    const phone = await connect(createPhoneClock(recorder.recorder.clock));
    const id = await startRecording(phone.session);
    await waitUntil('the recording is being read', () => isRead(id) && lastChunk() > 100);
    await phone.session.pauseRecording();
    const waiting = await control.addSession(writeWave(new Int16Array(16_000 * 30), 16_000));
    await phone.sync.refresh();
    const getOtherStatus = async () =>
      (await rows()).find(({ device_file_id }) => device_file_id === waiting)?.copies.phone.status;
    await waitUntil(
      'the other session is verified',
      async () => (await getOtherStatus()) === 'verified',
    );
    const before = lastChunk();
    await phone.session.restoreRecording();
    await waitUntil('reading has resumed', () => lastChunk() > before);
    await phone.session.stopRecording();
    await waitUntil('everything is verified', areAllVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('does not block waiting sessions until it ends', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    const id = await startRecording(phone.session);
    await waitUntil('the recording is being read', () => isRead(id));
    const samples = new Int16Array(16_000 * 30);
    const waiting = await control.addSession(writeWave(samples, 16_000));
    await phone.sync.refresh();
    const otherRow = await waitUntil('the other session has a record', async () =>
      (await rows()).find(({ device_file_id }) => device_file_id === waiting),
    );
    await waitUntil(
      'the other session is verified',
      async () => (await status(otherRow.id)) === 'verified',
    );
    const before = lastChunk();
    expect(before).toBeGreaterThan(1000);
    await waitUntil('reading has resumed', () => lastChunk() > before);
    await phone.session.stopRecording();
    await waitUntil('everything is verified', areAllVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('is read again if the phone has more bytes than the recorder', async () => {
    const phone = await connect();
    await waitUntil('everything is verified', areAllVerified);
    await phone.end();
    const [row] = await rows();
    if (!row) throw new Error('no recording');
    const packets = await control.readPackets(row.device_file_id as number);
    await writeFile(join(dir, `${row.id}.packets`), Buffer.concat([packets, Buffer.alloc(16_000)]));
    await records.update(row.id, { copies: { phone: { status: 'partial', bytes: 1600 } } });
    const secondConnection = await connect();
    await waitUntil('the recording is verified', areAllVerified);
    await secondConnection.end();
    await expectEqualToRecorder();
  });
});
