import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
  asSha256,
  type ChangeStore,
  type CopyState,
  cloudCopy,
  finishLeftovers,
  ProgressBoard,
  RecorderSync,
  type RecorderSyncOptions,
  type RecordStore,
  type SaveSetting,
  StorageFull,
  type Clock as SyncClock,
} from '@linnet/sync';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { commandClock, phoneClock } from '@linnet/virtual-recorder/testing/phone-clock';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FullDisk } from '../support/full-disk.ts';
import { RecorderControl } from '../support/recorder.ts';
import { until } from '../support/until.ts';

const UID = 'owner';
/** Times real time: a transfer of half a minute on air takes half a second. */
const SPEED = 60;
/** Slow enough that a busy machine is not mistaken for a recorder that sends nothing. */
const SILENT_SPEED = 20;

let opus: OpusModule;
let dir: string;
let recorder: RunningRecorder;
let control: RecorderControl;
let database: FullDisk;
let records: RecordStore;
let changes: ChangeStore;
let audio: AudioStore;
let progress: ProgressBoard;
/** Events of recordings in progress, in order. */
let heard: { id: string; index: number }[];
/** How many times nothing was left to read. */
let allRead: number;
const setting = { devcieSave: 1, appSave: 1, cloudSave: 1 } as {
  -readonly [K in keyof SaveSetting]: SaveSetting[K];
};
/** End of the grace period before the recorder's copies may be deleted, milliseconds since 1970. */
let due: number;

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-sync-'));
  recorder = await startRecorder(
    readConfig({ RECORDER_PORT: '0', RECORDER_CONFIRM: 'auto', DATA_DIR: dir }),
  );
  control = new RecorderControl(recorder.url);
  await control.clock(SPEED);
  database = new FullDisk(await openNodeSqlite(join(dir, 'phone.sqlite3')));
  await migrate(database);
  ({ records, changes } = createStores(database));
  audio = openFileAudioStore(dir, opus);
  progress = new ProgressBoard();
  heard = [];
  allRead = 0;
  setting.devcieSave = 1;
  due = 0;
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
        recorder: setting.devcieSave === 1 ? null : due,
        phone: null,
        cloud: null,
      },
    }),
    storagePersists: () => true,
    onStored: () => {},
    onLiveChunk: (id, index) => heard.push({ id, index }),
    onAllRead: () => {
      allRead += 1;
    },
    clock: hurried,
    log: () => {},
  };
}

/** Times real time: retries that a phone makes after seconds come after fractions of one. */
const HURRY = 10;
const startedAt = Date.now();
const hurried: SyncClock = {
  now: () => startedAt + (Date.now() - startedAt) * HURRY,
  sleep: async (ms, signal) => void (await delay(ms / HURRY, undefined, { signal })),
};

/** Connects as a phone does; `run` ends with the link. */
async function connect(
  clock: Clock = commandClock(recorder.recorder.clock),
  changed: Partial<RecorderSyncOptions> = {},
) {
  const [found] = await createWebSocketFinder({ recorders: [recorder.url] }).find();
  if (!found) throw new Error('no recorder found');
  const session = await openRecorderSession(await found.connect(), { clock });
  const sync = new RecorderSync({ session, ...options(), ...changed });
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
const allVerified = async () => {
  const list = await rows();
  return list.length > 0 && list.every(({ copies }) => copies.phone.status === 'verified');
};

const readsAnother = (id: string) => [...progress.get().keys()].some((moving) => moving !== id);

/** As in a browser: a removed file can no longer be written to. */
function closingAtRemoval(store: AudioStore): AudioStore {
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

const bytesOf = (copy: CopyState) => (copy.status === 'absent' ? 0 : copy.bytes);

/** Every recording on the phone equals the recorder's, byte for byte. */
async function expectEqualToRecorder(): Promise<void> {
  for (const row of await rows()) {
    const theirs = await control.packets(row.device_file_id as number);
    const master = await audio.master(row.id);
    const ours = Buffer.concat(
      demuxOgg(new Uint8Array(await (master as Blob).arrayBuffer())).packets,
    );
    expect(ours.equals(theirs)).toBe(true);
    // More than one a second, up to hundreds.
    expect(row.peaks.length).toBeGreaterThan(Math.min(100, theirs.length / 8000));
    expect(Math.abs(row.record_time - theirs.length / 8000)).toBeLessThanOrEqual(1);
  }
}

describe('transferring sessions to the phone', () => {
  it('transfers all existing sessions, byte for byte, unread and once', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    const before = await rows();
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(before.every(({ is_new }) => is_new === 0)).toBe(true);
    await expectEqualToRecorder();
    await phone.end();

    const again = await connect();
    await until('it was listed', () => again.sync.sessions);
    await again.end();
    expect((await rows()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await allVerified()).toBe(true);
  });

  it('resumes where the link broke, at any byte, without reading anything twice', async () => {
    let cuts = 0;
    let last = 0;
    while (!(await allVerified())) {
      await control.faults({ dropAfterBytes: 100_000 + cuts * 7919 });
      const phone = await connect();
      await Promise.race([phone.running, until('everything is verified', allVerified)]);
      await phone.end();
      const held = (await rows()).reduce((sum, { copies }) => sum + bytesOf(copies.phone), 0);
      // Each connection begins where the previous one ended: durable bytes only grow.
      expect(held).toBeGreaterThanOrEqual(last);
      last = held;
      cuts += (await allVerified()) ? 0 : 1;
    }
    expect(cuts).toBeGreaterThan(3);
    await expectEqualToRecorder();
  });

  it('finishes a session after a crash between its last chunk and its hash, without a recorder', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    await phone.end();
    const [row] = await rows();
    if (!row) throw new Error('no recording');
    const packets = await control.packets(row.device_file_id as number);
    await writeFile(join(dir, `${row.id}.packets`), packets);
    await rm(join(dir, `${row.id}.wav`));
    await records.update(row.id, {
      copies: { phone: { status: 'whole', bytes: packets.length } },
    });

    await finishLeftovers({ ...options() });
    expect(await allVerified()).toBe(true);
    expect((await readFile(join(dir, `${row.id}.wav`))).length).toBeGreaterThan(44);
    await expectEqualToRecorder();
  });

  it('drops a corrupted copy and reads it again', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    await phone.end();
    const [row] = await rows();
    if (!row) throw new Error('no recording');
    const packets = await control.packets(row.device_file_id as number);
    // What a power cut can leave: right length, wrong bytes.
    const bad = Buffer.from(packets);
    bad.fill(0, 3200, 4800);
    await writeFile(join(dir, `${row.id}.packets`), bad);
    await truncate(join(dir, `${row.id}.packets`), Math.floor(bad.length / 3200) * 1600);
    await records.update(row.id, { copies: { phone: { status: 'partial', bytes: 1600 } } });

    const again = await connect();
    await until('it is verified again', allVerified);
    await again.end();
    await expectEqualToRecorder();
  });

  it.each([-16_000, 16_000])(
    'keeps the bytes of a session whose reported length is off by %d bytes, and continues with others',
    async (lengthLie) => {
      await control.faults({ lengthLie });
      const phone = await connect();
      const given = async () => (await rows()).every(({ trouble }) => trouble !== null);
      await until('each was given up', async () => (await rows()).length > 1 && (await given()));
      const troubled = await rows();
      for (const { trouble, copies, device_file_id } of troubled) {
        expect(trouble).toEqual({ step: 'fetch', code: 'checksum_differs' });
        const theirs = await control.packets(device_file_id as number);
        expect(bytesOf(copies.phone)).toBe(theirs.length);
      }
      // The reported length was wrong, and is right when the owner retries.
      await control.faults({ lengthLie: 0 });
      phone.sync.request('all');
      await until('everything is verified', allVerified);
      await expectEqualToRecorder();
      await phone.end();
    },
  );

  it('gives up on a session of which the recorder sends nothing, and continues with others', async () => {
    await control.clock(SILENT_SPEED);
    const { flash } = recorder.recorder;
    const [oldest, ...others] = flash.sessions();
    if (!oldest) return expect.fail('no session');
    const packets = join(flash.dir, 'sessions', `${oldest.sessionId}.opus`);
    await rename(packets, `${packets}.away`);
    const phone = await connect(phoneClock(recorder.recorder.clock));
    const troubled = async () => (await rows()).filter(({ trouble }) => trouble !== null);
    await until('it was given up', async () => (await troubled()).length > 0);
    const [given] = await troubled();
    expect(given?.device_file_id).toBe(oldest.sessionId);
    expect(given?.trouble).toEqual({ step: 'fetch', code: 'not_sent' });
    const verified = async () =>
      (await rows()).filter(({ copies }) => copies.phone.status === 'verified');
    await until('the others are verified', async () => (await verified()).length === others.length);
    // The session could not be read, and can be when the owner retries.
    await rename(`${packets}.away`, packets);
    phone.sync.request('all');
    await until('everything is verified', allVerified);
    expect(await troubled()).toEqual([]);
    await expectEqualToRecorder();
    await phone.end();
  });

  it.each([
    ['hardware_abnormal', 'recorder_fault'],
    ['busy', 'recorder_busy'],
    ['request_malformed', 'recorder_refused'],
  ] as const)(
    'reads the others first when one is refused (%s), says why, and asks for it again later',
    async (result, code) => {
      const [oldest] = recorder.recorder.flash.sessions();
      if (!oldest) return expect.fail('no session');
      await control.faults({ refuseSession: { sessionId: oldest.sessionId, result } });
      const phone = await connect();
      const row = async () =>
        (await rows()).find(({ device_file_id }) => device_file_id === oldest.sessionId);
      await until('the others are verified', async () =>
        (await rows()).every(
          (each) =>
            each.device_file_id === oldest.sessionId || each.copies.phone.status === 'verified',
        ),
      );
      await until('it is said', async () => (await row())?.trouble);
      expect((await row())?.trouble).toEqual({ step: 'fetch', code });
      // The link still works: a recording can be started over it meanwhile.
      expect((await phone.session.status()).recording.state).toBe('idle');
      await phone.session.bind();
      await phone.session.startRecording({ mode: 'normal', scene: 'note' });
      await phone.session.stopRecording();
      // It is transferred automatically once the recorder sends it.
      await control.faults({ refuseSession: null });
      await until('everything is verified', allVerified);
      expect((await row())?.trouble).toBeNull();
      await expectEqualToRecorder();
      await phone.end();
    },
  );

  it('keeps the link when the list cannot be read, and requests it again', async () => {
    await control.faults({ listMalformed: true });
    const logged: string[] = [];
    const phone = await connect(undefined, { log: (event) => logged.push(event) });
    await until(
      'it was asked for again',
      () => logged.filter((event) => event === 'list.failed').length > 1,
    );
    expect((await phone.session.status()).recording.state).toBe('idle');
    await control.faults({ listMalformed: false });
    await until('everything is verified', allVerified);
    await phone.end();
  });

  it('pauses on a full phone, and resumes over the same link once it has disk space', async () => {
    await control.faults({ dropAfterBytes: 50_000 });
    const first = await connect();
    await first.running;
    await first.end();
    const held = async () =>
      (await rows()).reduce((sum, { copies }) => sum + bytesOf(copies.phone), 0);
    const before = await held();
    expect(before).toBeGreaterThan(0);

    database.full = true;
    const phone = await connect();
    await expect(phone.running).rejects.toBeInstanceOf(StorageFull);
    await expect(phone.sync.run(new AbortController().signal)).rejects.toBeInstanceOf(StorageFull);
    expect(await held()).toBe(before);
    database.full = false;
    const stop = new AbortController();
    const running = phone.sync.run(stop.signal);
    await until('everything is verified', allVerified);
    stop.abort();
    await phone.session.close();
    await running;
    await expectEqualToRecorder();
  });

  it('keeps the metadata of a session deleted on the recorder until its copy is verified', async () => {
    const finish = audio.finish;
    let finished = 0;
    audio = {
      ...audio,
      finish: async () => {
        throw new AudioStoreError('storage_full');
      },
    };
    const phone = await connect();
    const row = await until('one cannot be finished', async () =>
      (await rows()).find(({ trouble }) => trouble?.code === 'storage_full'),
    );
    expect(await phone.sync.deleteOnRecorder(row.device_file_id as number)).toBe(row.id);
    expect(phone.sync.sessions?.map(({ id }) => id)).not.toContain(row.id);
    await phone.end();

    audio = {
      ...audio,
      finish: (...asked) => {
        if (asked[0] === row.id) finished += 1;
        return finish(...asked);
      },
    };
    // As when the recorder reconnects during the cleanup at start.
    await Promise.all([finishLeftovers({ ...options() }), finishLeftovers({ ...options() })]);
    expect(finished).toBe(1);
    const copies = async () => (await rows()).find(({ id }) => id === row.id)?.copies;
    expect((await copies())?.phone.status).toBe('verified');
    const again = await connect();
    await until('its copy there is known to be gone', async () => {
      const now = await copies();
      return now?.recorder.status === 'absent' && now.phone.status === 'verified';
    });
    await again.end();
  });

  it('does not wait for sessions that were deleted elsewhere, and does for one that is listed again', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    const [gone, there] = await rows();
    if (!gone || !there) throw new Error('no recordings');
    const onRecorder = async (id: string) =>
      (await rows()).find((row) => row.id === id)?.copies.recorder.status;
    await phone.session.deleteSession(gone.device_file_id as number);
    await phone.sync.refresh();
    expect(await onRecorder(gone.id)).toBe('absent');
    expect(await onRecorder(there.id)).toBe('verified');
    // As of a recording that came to this phone from the cloud.
    await records.update(there.id, { copies: { recorder: { status: 'absent' } } });
    await phone.sync.refresh();
    expect(await onRecorder(there.id)).toBe('whole');
    await phone.end();
  });

  it('resumes sessions that could not be saved for lack of disk space', async () => {
    const phone = await connect();
    await until('nothing is left to read', () => allRead > 0);
    const before = (await rows()).length;
    database.full = true;
    let told = 0;
    phone.sync.subscribe(() => {
      told = phone.sync.sessions?.length ?? 0;
    });
    const refused = expect(phone.running).rejects.toBeInstanceOf(StorageFull);
    await control.addSession(writeWave(new Int16Array(32_000), 16_000));
    await refused;
    expect(phone.sync.sessions).toHaveLength(before + 1);
    expect(told).toBe(before + 1);
    expect(await rows()).toHaveLength(before);
    database.full = false;
    const stop = new AbortController();
    const running = phone.sync.run(stop.signal);
    await until(
      'it is here',
      async () => (await rows()).length === before + 1 && (await allVerified()),
    );
    stop.abort();
    await phone.session.close();
    await running;
  });

  it('does not restore permanently deleted recordings', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    await phone.end();
    const before = await rows();
    await changes.edit(UID, { type: 'recording.delete', recording: before[0]?.id as string });
    const again = await connect();
    await until('it was listed', () => again.sync.sessions);
    expect((await rows()).length).toBe(before.length - 1);
    await again.end();
  });

  it.each(['before its audio is dropped', 'when its audio was dropped under it'])(
    'stops reading a recording that is permanently deleted, %s',
    async (when) => {
      audio = closingAtRemoval(audio);
      // So slow that reading all of it would outlast this test.
      await control.clock(0.3);
      const phone = await connect();
      const reading = await until('some of it is here', async () =>
        (await rows()).find(
          ({ copies }) => copies.phone.status === 'partial' && progress.get().size,
        ),
      );
      await changes.edit(UID, { type: 'recording.delete', recording: reading.id });
      if (when === 'when its audio was dropped under it') await audio.remove(reading.id);
      await until('the next one is read', () => readsAnother(reading.id), 10_000);
      await control.clock(SPEED);
      await until('the others are verified', allVerified);
      await phone.end();
      expect((await rows()).map(({ id }) => id)).not.toContain(reading.id);
      expect((await readdir(dir)).filter((name) => name.startsWith(reading.id))).toEqual([]);
      expect(phone.sync.sessions?.map(({ id }) => id)).toContain(reading.id);
    },
  );

  it('frees the recorder only if device-save is off, and only of verified sessions', async () => {
    setting.devcieSave = 0;
    const phone = await connect();
    await until(
      'the recorder is empty',
      async () => (await phone.session.listSessions()).length === 0 && (await allVerified()),
    );
    expect((await rows()).every(({ copies }) => copies.recorder.status === 'absent')).toBe(true);
    await phone.end();
  });

  it.each([
    ['of one byte, without a digest', null],
    ['with the digest of other audio', 'cd'.repeat(32)],
  ])(
    'deletes nothing because of a file that a foreign client registered: %s',
    async (_, audio_sha256) => {
      const phone = await connect();
      await until('the sessions are listed', async () => (await rows()).length > 1);
      await phone.end();
      // As the server's changes state: an address, without audio of the session behind it.
      const registered = { url: 'http://store/x', file_size: 1, audio_sha256 };
      for (const { id } of await rows()) {
        await audio.remove(id);
        await records.update(id, {
          copies: { phone: { status: 'absent' }, cloud: cloudCopy(registered) },
        });
      }
      setting.devcieSave = 0;
      const again = await connect(undefined, {
        cloudDigest: async () => ({ ok: true, data: asSha256(audio_sha256) }),
      });
      // Each is read from the recorder before the recorder's copy may be deleted.
      await until('the recorder is empty', async () => again.sync.sessions?.length === 0);
      expect(await allVerified()).toBe(true);
      for (const { id, copies } of await rows()) {
        expect(copies.cloud.status).toBe('stored');
        expect(await audio.master(id)).not.toBeNull();
      }
      await again.end();
    },
  );

  it('deletes because of a cloud copy only what the server confirms at that moment', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
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
    const [lost, ...kept] = (await rows()).map(({ id }) => id);
    const asked = new Set<string>();
    const again = await connect(undefined, {
      cloudDigest: async (id) => {
        asked.add(id);
        const copy = digests.get(id);
        const held = id === lost || copy?.status !== 'verified' ? null : copy.sha256;
        return { ok: true, data: held };
      },
    });
    await until('the others left', async () => again.sync.sessions?.length === 1);
    await until('it was asked of all', () => asked.size === kept.length + 1);
    expect(again.sync.sessions?.map(({ id }) => id)).toEqual([lost]);
    const receipt = (await records.detail(kept[0] as string))?.receipt;
    expect(receipt?.deletions).toMatchObject([
      { place: 'recorder', because: 'storage_setting', survivor: { place: 'cloud' } },
    ]);
    await again.end();
  });

  it('deletes nothing if storage on the recorder is turned on again while the server answers', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
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
    const again = await connect(undefined, {
      cloudDigest: async (id) => {
        setting.devcieSave = 1;
        const copy = digests.get(id);
        return { ok: true, data: copy?.status === 'verified' ? copy.sha256 : null };
      },
    });
    await until('it looked', () => setting.devcieSave === 1);
    const read = allRead;
    again.sync.recheck();
    await until('it looked again', () => allRead > read);
    expect(again.sync.sessions).toHaveLength(digests.size);
    await again.end();
  });

  it('deletes nothing before the grace period of the storage setting ends', async () => {
    setting.devcieSave = 0;
    due = Number.POSITIVE_INFINITY;
    const phone = await connect();
    await until('nothing is left to read', () => allRead > 0);
    phone.sync.recheck();
    await until('it looked again', () => allRead > 1);
    expect(phone.sync.sessions?.length).toBeGreaterThan(1);
    due = 0;
    phone.sync.recheck();
    await until('the recorder is empty', () => phone.sync.sessions?.length === 0);
    await phone.end();
  });

  it('rereads a session whose file is missing on the phone, and deletes nothing meanwhile', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    const [row] = await rows();
    if (!row) return expect.fail('no recording');
    await audio.remove(row.id);
    setting.devcieSave = 0;
    phone.sync.recheck();
    await until('the recorder is empty', () => phone.sync.sessions?.length === 0);
    expect(await audio.master(row.id)).not.toBeNull();
    await phone.end();
  });

  it('lists the remaining sessions once after deleting many', async () => {
    const phone = await connect();
    await until('nothing is left to read', () => allRead > 0);
    const many = phone.sync.sessions?.length ?? 0;
    expect(many).toBeGreaterThan(1);
    let lists = 0;
    phone.sync.subscribe(() => {
      lists += 1;
    });
    setting.devcieSave = 0;
    phone.sync.recheck();
    await until('the recorder is empty', () => phone.sync.sessions?.length === 0);
    expect(lists).toBe(1);
    await phone.end();
  });

  it('transfers a new recording automatically when it ends', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    const before = (await rows()).length;
    await phone.session.bind();
    const { sessionId } = await phone.session.startRecording({ mode: 'normal', scene: 'call' });
    await until('it has recorded a second', async () => {
      const { recording } = await phone.session.status();
      return recording.state === 'recording' && recording.elapsedMs > 1000;
    });
    await phone.session.stopRecording();
    await until(
      'the new one is verified',
      async () => (await rows()).length === before + 1 && (await allVerified()),
    );
    const fresh = (await rows()).find(({ device_file_id }) => device_file_id === sessionId);
    expect(fresh?.rec_source).toBe(2);
    await expectEqualToRecorder();
    await phone.end();
  });
});

describe('a recording in progress', () => {
  const status = async (id: string) =>
    (await records.work([id])).get(id)?.copies.phone.status ?? 'unknown';
  const isRead = (id: string) => progress.get().get(id)?.step === 'record';
  const held = () => heard.at(-1)?.index ?? -1;

  /** Empties the recorder, so that it only has what a test records. */
  async function forget(): Promise<void> {
    for (const { sessionId } of recorder.recorder.flash.sessions()) {
      await recorder.recorder.sessions.delete(sessionId);
    }
  }

  async function record(session: RecorderSession): Promise<string> {
    await session.bind();
    const { sessionId } = await session.startRecording({ mode: 'normal', scene: 'meeting' });
    return (
      await until('it is a record', async () =>
        (await rows()).find(({ device_file_id }) => device_file_id === sessionId),
      )
    ).id;
  }

  it('is read while it grows, and is complete when it ends', async () => {
    await forget();
    const phone = await connect();
    const id = await record(phone.session);
    await until('a minute of it is here', () => held() > 300);
    expect(progress.get().get(id)).toEqual({ step: 'record' });
    expect(await status(id)).toBe('partial');
    await phone.session.stopRecording();
    await until('it is verified', async () => (await status(id)) === 'verified');
    expect(heard).toEqual(heard.map((_, index) => ({ id, index })));
    await expectEqualToRecorder();
    await phone.end();
  });

  it('resumes where the link broke, at any byte: nothing lost, nothing twice', async () => {
    await forget();
    let phone = await connect();
    const id = await record(phone.session);
    for (let cut = 0; cut < 12; cut += 1) {
      const before = held();
      await control.faults({ dropAfterBytes: 1000 + cut * 3701 });
      await phone.running;
      await phone.end();
      phone = await connect();
      await until('more of it is here', () => held() > before);
      expect((await phone.session.status()).recording.state).toBe('recording');
    }
    // The last break hides the end, which is then found in the list instead of an event.
    await control.faults({ dropAfterBytes: 1000 });
    await phone.running;
    await phone.end();
    await control.hold();
    phone = await connect();
    await until('it is verified', async () => (await status(id)) === 'verified');
    expect(heard).toEqual(heard.map((_, index) => ({ id, index })));
    await expectEqualToRecorder();
    await phone.end();
  });

  it('comes before waiting sessions, and after one that the owner requested', async () => {
    // So slow that reading all of one would outlast this test.
    await control.clock(1);
    const phone = await connect();
    const first = await until('one is read', () => [...progress.get().keys()][0]);
    const id = await record(phone.session);
    await until('it is read along', () => isRead(id));
    expect(progress.get().has(first)).toBe(false);
    const listed = phone.sync.sessions?.find((each) => each.id === first);
    phone.sync.request([listed?.item.sessionId as number]);
    await until('what was asked for is read', () => progress.get().has(first));
    expect(isRead(id)).toBe(false);
    await control.clock(SPEED);
    await until('it is read along again', () => isRead(id));
    expect(await status(first)).toBe('verified');
    await phone.session.stopRecording();
    await until('everything is verified', allVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('resumes once the owner no longer prioritizes the other', async () => {
    await control.clock(1);
    const phone = await connect();
    const first = await until('one is read', () => [...progress.get().keys()][0]);
    const id = await record(phone.session);
    await until('it is read along', () => isRead(id));
    const listed = phone.sync.sessions?.find((each) => each.id === first);
    const wanted = [listed?.item.sessionId as number];
    phone.sync.request(wanted);
    await until('what was asked for is read', () => progress.get().has(first));
    phone.sync.withdraw(wanted);
    await until('it is read along again', () => isRead(id));
    expect(await status(first)).toBe('partial');
    await control.clock(SPEED);
    await phone.session.stopRecording();
    await until('everything is verified', allVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('that is paused blocks neither the link nor a waiting session', async () => {
    await control.clock(SILENT_SPEED);
    await forget();
    const phone = await connect(phoneClock(recorder.recorder.clock));
    const id = await record(phone.session);
    await until('it is read along', () => isRead(id) && held() > 100);
    await phone.session.pauseRecording();
    const waiting = await control.addSession(writeWave(new Int16Array(16_000 * 30), 16_000));
    await phone.sync.refresh();
    const other = async () =>
      (await rows()).find(({ device_file_id }) => device_file_id === waiting)?.copies.phone.status;
    await until('the other is verified', async () => (await other()) === 'verified');
    const before = held();
    await phone.session.restoreRecording();
    await until('it is read along again', () => held() > before);
    await phone.session.stopRecording();
    await until('everything is verified', allVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('does not block waiting sessions until it ends', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    const id = await record(phone.session);
    await until('it is read along', () => isRead(id));
    const samples = new Int16Array(16_000 * 30);
    const waiting = await control.addSession(writeWave(samples, 16_000));
    await phone.sync.refresh();
    const other = await until('the other is a record', async () =>
      (await rows()).find(({ device_file_id }) => device_file_id === waiting),
    );
    await until('the other had its turn', async () => (await status(other.id)) === 'verified');
    const before = held();
    expect(before).toBeGreaterThan(1000);
    await until('it is read along again', () => held() > before);
    await phone.session.stopRecording();
    await until('everything is verified', allVerified);
    await expectEqualToRecorder();
    await phone.end();
  });

  it('is read again if the recorder kept less of it than the phone has', async () => {
    const phone = await connect();
    await until('everything is verified', allVerified);
    await phone.end();
    const [row] = await rows();
    if (!row) throw new Error('no recording');
    const packets = await control.packets(row.device_file_id as number);
    await writeFile(join(dir, `${row.id}.packets`), Buffer.concat([packets, Buffer.alloc(16_000)]));
    await records.update(row.id, { copies: { phone: { status: 'partial', bytes: 1600 } } });
    const again = await connect();
    await until('it is verified again', allVerified);
    await again.end();
    await expectEqualToRecorder();
  });
});
