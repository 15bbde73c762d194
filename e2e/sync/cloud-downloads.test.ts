/** Tests `CloudDownloads`, which fetches audio that exists only in the cloud. The audio store is in a folder. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { createStores, migrate, type SqlDatabase } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  type AudioStore,
  AudioStoreError,
  type ChangeStore,
  type Cloud,
  CloudDownloads,
  type DownloadPolicy,
  KEPT_FREE_BYTES,
  ProgressBoard,
  parseSha256,
  type RecordStore,
  systemClock,
} from '@linnet/sync';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { createSampleSession } from '../support/sample-session.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';

let opus: OpusModule;
let packets: Uint8Array<ArrayBuffer>;
let dir: string;
let database: SqlDatabase;
let records: RecordStore;
let changes: ChangeStore;
let audio: AudioStore;
let progress: ProgressBoard;
let policy: DownloadPolicy;
let free: number | null;
/** Files in the cloud, keyed by the recording's server ID. */
let files: Map<string, Uint8Array>;
/** Server ID and first byte of each requested download, in order. */
let requests: [string, number][];
/** Number of bytes after which downloads fail. */
let cutAfter: number;
let stop: AbortController;
let running: Promise<void>;

const sha256 = (bytes: Uint8Array) => parseSha256(createHash('sha256').update(bytes).digest('hex'));

/** Sends a file in pieces, as a network would. */
const download: Cloud['download'] = async (serverId, fromByte, onPiece, signal) => {
  requests.push([serverId, fromByte]);
  const file = files.get(serverId);
  if (!file) return { ok: false, failure: { kind: 'http', status: 404 } };
  const step = 4000;
  for (
    let offset = fromByte, sentBytes = 0;
    offset < file.length;
    offset += step, sentBytes += step
  ) {
    if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } };
    if (sentBytes >= cutAfter) return { ok: false, failure: { kind: 'timeout' } };
    await onPiece(file.slice(offset, offset + step), file.length);
  }
  return { ok: true, data: null };
};

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  packets = createSampleSession(opus).packets as Uint8Array<ArrayBuffer>;
});

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-downloads-'));
  database = await openNodeSqlite(':memory:');
  await migrate(database);
  ({ records, changes } = createStores(database));
  audio = openFileAudioStore(dir, opus);
  progress = new ProgressBoard();
  policy = { all: true, mayReceive: true };
  free = null;
  files = new Map();
  requests = [];
  cutAfter = Number.POSITIVE_INFINITY;
});

afterEach(async () => {
  stop.abort();
  await running;
  await database.close();
  await rm(dir, { recursive: true });
});

/**
 * Adds a recording whose audio exists only in the cloud.
 * @param day the day of the recording in March 2026
 * @param file an Ogg file by default
 */
async function addCloudRecording(
  day: number,
  file: Uint8Array = muxOgg(packets),
  digest = sha256(packets),
): Promise<string> {
  const id = `r${day}`;
  const createDate = `2026-03-${String(day).padStart(2, '0')}T08:00:00.000Z`;
  await records.ensure({
    ...{ id, uid: UID, sn: 'SN', deviceFileId: day, createDate, seconds: 3, scene: 'note' },
    source: 'recorder',
    audioBytes: packets.length,
  });
  await records.update(id, {
    is_local: 2,
    server_id: `server-${id}`,
    copies: {
      recorder: { status: 'absent' },
      cloud: { status: 'stored', bytes: file.length, sha256: digest },
    },
  });
  files.set(`server-${id}`, file);
  return id;
}

/** @param store the audio store that the downloads use */
function start(store = audio): CloudDownloads {
  stop = new AbortController();
  const downloads = new CloudDownloads({
    ...{ uid: UID, records, audio: store, progress },
    audioProcessor: {
      // The app's own tests cover the conversion of other formats.
      async convert(id) {
        const file = await audio.openPackets(id, 1);
        await file.append(packets);
        await file.close();
        return { kind: null };
      },
    },
    cloud: { download },
    policy: () => policy,
    freeBytes: async () => free,
    clock: { ...systemClock, sleep: async () => void (await setImmediate()) },
    log: () => {},
  });
  running = downloads.run(stop.signal);
  return downloads;
}

const copies = async (id: string) => (await records.detail(id))?.copies;
const isDownloaded = async (id: string) => (await copies(id))?.phone.status === 'verified';

describe('audio that exists only in the cloud', () => {
  it('is downloaded newest first, and verified', async () => {
    const [older, newer] = [await addCloudRecording(1), await addCloudRecording(2)];
    start();
    await waitUntil(
      'both are downloaded',
      async () => (await isDownloaded(older)) && (await isDownloaded(newer)),
    );
    expect(requests.map(([id]) => id)).toEqual(['server-r2', 'server-r1']);
    const master = new Uint8Array(await ((await audio.master(older)) as Blob).arrayBuffer());
    expect(Buffer.from(master).equals(Buffer.from(muxOgg(packets)))).toBe(true);
    expect(await audio.wave(older)).not.toBeNull();
    expect((await copies(older))?.cloud.status).toBe('verified');
    expect(await audio.download(older)).toBeNull();
    expect(progress.get().size).toBe(0);
  });

  it('keeps the reason why its transcription failed', async () => {
    const id = await addCloudRecording(1);
    const failure = { kind: 'server', code: codes.engineFailed, msg: '' } as const;
    const problem = { step: 'transcribe', code: 'failed', failure } as const;
    await records.update(id, { problem });
    start();
    await waitUntil('the audio is downloaded', () => isDownloaded(id));
    expect((await records.detail(id))?.problem).toEqual(problem);
  });

  it('resumes where the network failed', async () => {
    const id = await addCloudRecording(1);
    cutAfter = 8000;
    start();
    await waitUntil('the audio is downloaded', () => isDownloaded(id));
    const offsets = requests.map(([, from]) => from);
    expect(offsets).toEqual(offsets.map((_, index) => index * 8000));
    expect(offsets.length).toBeGreaterThan(1);
  });

  it('is discarded and reported if its digest differs, and can be requested again', async () => {
    const id = await addCloudRecording(1, muxOgg(new Uint8Array(packets).fill(0x48, 0, 160)));
    const downloads = start();
    await waitUntil('the problem is reported', async () => (await records.detail(id))?.problem);
    expect((await records.detail(id))?.problem).toEqual({
      step: 'fetch',
      code: 'download_differs',
    });
    expect((await copies(id))?.phone.status).toBe('absent');
    expect([await audio.master(id), await audio.download(id)]).toEqual([null, null]);
    files.set('server-r1', muxOgg(packets));
    downloads.request(id);
    await waitUntil('the audio is downloaded', () => isDownloaded(id));
    expect((await records.detail(id))?.problem).toBeNull();
  });

  it('is converted to a stored copy if it has a different format', async () => {
    const wave = writeWave(new Int16Array(16_000), 16_000);
    const id = await addCloudRecording(1, wave, sha256(wave));
    start();
    await waitUntil(
      'the audio is downloaded',
      async () => (await copies(id))?.phone.status === 'stored',
    );
    expect(await audio.wave(id)).not.toBeNull();
    expect((await copies(id))?.cloud.status).toBe('stored');
  });

  it('stays in the cloud without an error if the phone cannot convert it', async () => {
    const id = await addCloudRecording(1);
    audio = {
      ...audio,
      unpack: async () => {
        throw new AudioStoreError('not_audio');
      },
      finish: async () => {
        throw new AudioStoreError('not_audio');
      },
    };
    start();
    await waitUntil(
      'the recording is excluded from downloads',
      async () => (await records.detail(id))?.phoneRetention === 'never',
    );
    expect((await records.detail(id))?.problem).toBeNull();
  });
});

describe('automatic downloads', () => {
  it.each([
    ['the storage setting excludes phones', () => ({ all: false, mayReceive: true })],
    ['the network may not be used', () => ({ all: true, mayReceive: false })],
  ] as const)('pause while %s', async (_, blocked) => {
    const id = await addCloudRecording(1);
    policy = blocked();
    const downloads = start();
    await setImmediate();
    expect(requests).toEqual([]);
    policy = { all: true, mayReceive: true };
    downloads.wake();
    await waitUntil('the audio is downloaded', () => isDownloaded(id));
  });

  it('pause while disk space is low, unless a download is requested', async () => {
    const id = await addCloudRecording(1);
    free = KEPT_FREE_BYTES;
    const downloads = start();
    await waitUntil('low disk space is reported', () => downloads.isSpaceLow);
    expect(requests).toEqual([]);
    downloads.request(id);
    await waitUntil('the audio is downloaded', () => isDownloaded(id));
  });

  it('skip audio that the user removed from this phone, or that a recorder may still have', async () => {
    const [removed, listed, other] = [
      await addCloudRecording(3),
      await addCloudRecording(2),
      await addCloudRecording(1),
    ];
    await records.update(removed, { phoneRetention: 'never' });
    await records.update(listed, { copies: { recorder: { status: 'whole', bytes: 1 } } });
    start();
    await waitUntil('the other recording is downloaded', () => isDownloaded(other));
    expect(requests.map(([id]) => id)).toEqual(['server-r1']);
  });
});

describe('a recording that is permanently deleted during its download', () => {
  /** Deletes a recording and its audio as the app does. */
  async function deletePermanently(id: string): Promise<void> {
    await changes.edit(UID, { type: 'recording.delete', recording: id });
    for (const orphan of await changes.orphanedAudio(UID)) {
      await audio.remove(orphan);
      await changes.markAudioRemoved(orphan);
    }
  }

  it.each([
    ['is received', true],
    ['cannot be received', false],
  ])('leaves no audio if its file %s', async (_, isInCloud) => {
    await addCloudRecording(1);
    if (!isInCloud) files.clear();
    let isDeleted = false;
    start({
      ...audio,
      async openDownload(downloaded) {
        await deletePermanently(downloaded);
        const file = await audio.openDownload(downloaded);
        isDeleted = true;
        return file;
      },
    });
    await waitUntil('the recording is deleted', () => isDeleted);
    await waitUntil('no audio is left', async () => (await readdir(dir)).length === 0);
  });
});

describe('a requested download', () => {
  it('precedes automatic downloads, even if the storage setting excludes phones', async () => {
    const [automatic, requested] = [await addCloudRecording(2), await addCloudRecording(1)];
    policy = { all: false, mayReceive: true };
    const downloads = start();
    downloads.request(requested);
    await waitUntil('the audio is downloaded', () => isDownloaded(requested));
    expect(await isDownloaded(automatic)).toBe(false);
  });

  it('stops when canceled, and deletes the received bytes', async () => {
    const id = await addCloudRecording(1);
    const downloads = start();
    const unsubscribe = progress.subscribe(() => {
      unsubscribe();
      void downloads.cancel(id);
    });
    await waitUntil(
      'the downloads have ended',
      async () => requests.length > 0 && progress.get().size === 0,
    );
    await waitUntil(
      'the received bytes are deleted',
      async () => (await audio.download(id)) === null,
    );
    expect(await isDownloaded(id)).toBe(false);
  });
});
