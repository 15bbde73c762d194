/** Tests folder import with a real database and real files. */

import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AudioDigester } from '@linnet/audio/digest';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { basicKinds } from '@linnet/audio/kind';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { waveHeader } from '@linnet/audio/wave';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  AudioStoreError,
  defaultStorageSetting,
  FileImporter,
  FileRetention,
  type Folder,
  type FolderImportChoice,
  type FolderState,
  FolderSync,
  sha256From,
} from '@linnet/sync';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDiskFolders } from '../support/disk-folder.ts';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { openFileAudioProcessor } from '../support/file-audio-processor.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';

const UID = 'owner';
const FOLDER: Folder = { id: 'usb', uid: UID, name: 'RECORDER', retention: 'keep' };
/** Time of the scans, and modification time of the files. */
const NOW = Date.parse('2026-03-02T08:00:00Z');
const RECORDED_AT = Date.parse('2026-03-01T17:30:00Z');

let opus: OpusModule;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});

/** Returns a 0.2-second WAV file whose content depends on `seed`. */
function wav(seed: number): Uint8Array {
  const samples = Int16Array.from({ length: SAMPLE_RATE / 5 }, (_, index) =>
    Math.round(9000 * Math.sin((index * (seed + 1)) / 40)),
  );
  return Buffer.concat([waveHeader(samples.length, SAMPLE_RATE), new Uint8Array(samples.buffer)]);
}

function computeDigest(bytes: Uint8Array) {
  const digester = new AudioDigester();
  digester.push(bytes);
  return digester.end();
}

let root: string;
let device: Awaited<ReturnType<typeof openDevice>>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'linnet-folders-'));
  device = await openDevice(root);
});
afterEach(async () => {
  await device.database.close();
  await rm(root, { recursive: true });
  expect(device.errors).toEqual([]);
});

/** A phone or computer with a database, files, and a drive. */
async function openDevice(root: string) {
  const drive = join(root, 'drive');
  const files = join(root, 'files');
  await mkdir(drive);
  await mkdir(files);
  const database = await openNodeSqlite(join(root, 'phone.sqlite3'));
  await migrate(database);
  const { records, changes, folders } = createStores(database);
  const audio = openFileAudioStore(files, opus);
  const fileAudioProcessor = openFileAudioProcessor(files, opus);
  let isBroken = false;
  let conversions = 0;
  const audioProcessor: typeof fileAudioProcessor = {
    ...fileAudioProcessor,
    async convert(...args) {
      conversions += 1;
      if (isBroken) throw new AudioStoreError('io_failed');
      return fileAudioProcessor.convert(...args);
    },
  };
  const errors: unknown[] = [];
  const questions: number[] = [];
  let choice: FolderImportChoice = 'transcribe';
  /**
   * The server's response about a recording: a digest, null without audio, or `offline` if it doesn't respond.
   */
  let inCloud: (recordId: string) => string | null | 'offline' = () => 'offline';
  let setting = defaultStorageSetting;
  let now = NOW;
  const onError = (error: unknown) => void errors.push(error);
  await folders.add(FOLDER);

  /** Starts the app with no state in memory, as after a restart. */
  function startApp() {
    const importer = new FileImporter({
      ...{ records, audio, audioProcessor, onError },
      isDecodable: (kind) => basicKinds.includes(kind),
      findDate: async () => null,
    });
    const sync = new FolderSync({
      store: folders,
      access: createDiskFolders({ usb: drive }),
      importer,
      retention: new FileRetention({
        ...{ records, audio, audioProcessor },
        async cloudDigest(id) {
          const digest = inCloud(id);
          if (digest === 'offline') {
            return { ok: false, failure: { kind: 'network', cause: 'offline' } };
          }
          return { ok: true, data: digest === null ? null : sha256From(digest) };
        },
        storage: async () => ({
          setting,
          earliestDeletions: { recorder: null, phone: null, cloud: null },
        }),
        isStoragePersistent: () => false,
        log: () => {},
      }),
      async confirm(all) {
        questions.push(all.length);
        return choice;
      },
      clock: { now: () => now },
      onStored: () => {},
      log: () => {},
      onError,
    });
    return { importer, sync };
  }
  let app = startApp();

  return {
    ...{ database, records, changes, folders, audio, drive, files, errors, questions },
    async put(path: string, bytes: Uint8Array, at = RECORDED_AT): Promise<void> {
      const file = join(drive, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
      await utimes(file, at / 1000, at / 1000);
    },
    /** Sets whether conversions fail. */
    setBroken(next: boolean) {
      isBroken = next;
    },
    get conversions() {
      return conversions;
    },
    choose(next: FolderImportChoice) {
      choice = next;
    },
    setCloud(next: typeof inCloud) {
      inCloud = next;
    },
    setStorage(next: typeof defaultStorageSetting) {
      setting = next;
    },
    /** Advances the clock. */
    pass(ms: number) {
      now += ms;
    },
    async restart() {
      app = startApp();
      await app.importer.sweep();
    },
    /** Scans the folder. @returns its state */
    async scan(isRequested = false, signal = new AbortController().signal): Promise<FolderState> {
      const [folder] = await folders.list(UID);
      if (!folder) throw new Error('The folder was removed.');
      await app.sync.scan(folder, isRequested, signal);
      return app.sync.states.get().get(folder.id) as FolderState;
    },
    /** Starts a scan, and cancels it once the import of a file makes progress. */
    async cancelScan(): Promise<void> {
      const control = new AbortController();
      const unsubscribe = app.sync.states.subscribe(() => {
        const state = app.sync.states.get().get(FOLDER.id);
        if (state?.status === 'importing' && state.fraction > 0) control.abort();
      });
      await this.scan(false, control.signal).catch((error: unknown) => {
        if (!control.signal.aborted) throw error;
      });
      unsubscribe();
    },
    summaries: () => records.summaries(UID),
  };
}

describe('a folder', () => {
  it('is imported once, with the names, dates and unchanged contents of its files', async () => {
    const ogg = await encodeAsRecorder(
      Int16Array.from({ length: SAMPLE_RATE }, (_, index) => index % 999),
    );
    await device.put('A/Interview.WAV', wav(1), RECORDED_AT + 1000);
    await device.put('B/Choir.ogg', ogg);
    expect(await device.scan()).toMatchObject({
      status: 'done',
      latest: { recordings: 2, imported: 2, failed: [] },
    });
    const all = await device.summaries();
    expect(all.map(({ title, create_date }) => [title, Date.parse(create_date)])).toEqual([
      ['Interview', RECORDED_AT + 1000],
      ['Choir', RECORDED_AT],
    ]);
    const masters = await Promise.all(all.map(({ id }) => device.audio.master(id)));
    const contents = await Promise.all(masters.map((each) => each?.arrayBuffer()));
    expect(contents.map((each) => each && Buffer.from(each))).toEqual([
      Buffer.from(wav(1)),
      Buffer.from(ogg),
    ]);
    expect(masters.map((each) => each?.type)).toEqual(['audio/wav', 'audio/ogg']);
    expect(all.map(({ copies }) => copies.phone)).toEqual(
      [wav(1), ogg].map((bytes) => ({
        status: 'verified',
        bytes: bytes.length,
        sha256: computeDigest(bytes).audioSha256,
      })),
    );
    expect((await readdir(device.files)).filter((name) => name.endsWith('.packets'))).toEqual([]);

    for (const isRequested of [false, true]) {
      expect(await device.scan(isRequested)).toMatchObject({
        latest: { recordings: 2, imported: 0 },
      });
    }
    await device.restart();
    expect(await device.scan()).toMatchObject({ latest: { recordings: 2, imported: 0 } });
    await device.put('C/New.wav', wav(2));
    expect(await device.scan()).toMatchObject({ latest: { recordings: 3, imported: 1 } });
    expect(device.questions).toEqual([2, 1]);
  });

  it('imports equal contents once, whatever their names', async () => {
    await device.put('One.wav', wav(1));
    await device.put('A/Copy of one.wav', wav(1), RECORDED_AT + 5000);
    expect(await device.scan()).toMatchObject({ latest: { recordings: 2, imported: 1 } });
    await rename(join(device.drive, 'One.wav'), join(device.drive, 'Renamed.wav'));
    expect(await device.scan()).toMatchObject({ latest: { recordings: 2, imported: 0 } });
    expect(await device.summaries()).toHaveLength(1);
  });

  it('does not import a permanently deleted recording again', async () => {
    await device.put('One.wav', wav(1));
    await device.scan();
    const [recording] = await device.summaries();
    await device.changes.edit(UID, { type: 'recording.delete', recording: recording?.id ?? '' });
    await device.put('Again.wav', wav(1));
    expect(await device.scan()).toMatchObject({ latest: { recordings: 1, imported: 0 } });
    expect(await device.summaries()).toEqual([]);
  });

  it('waits for a file that is still being written', async () => {
    await device.put('Growing.wav', wav(1).slice(0, 900), NOW - 1000);
    expect(await device.scan()).toMatchObject({ latest: { imported: 0, growing: 1, failed: [] } });
    await device.put('Growing.wav', wav(1), NOW);
    device.pass(5000);
    expect(await device.scan()).toMatchObject({ latest: { imported: 1, growing: 0 } });
  });

  it('reports files that are not audio once, and imports the others', async () => {
    await device.put('Broken.wav', Buffer.from('not audio'));
    await device.put('One.wav', wav(1));
    for (const imported of [1, 0]) {
      expect(await device.scan()).toMatchObject({
        status: 'done',
        latest: { recordings: 1, imported, failed: [{ path: 'Broken.wav', code: 'not_audio' }] },
      });
    }
    await device.put('Broken.wav', wav(2));
    expect(await device.scan()).toMatchObject({ latest: { imported: 1, failed: [] } });
  });

  it('is imported again after a temporary failure, on the next start or on request, but not on every scan', async () => {
    await device.put('One.wav', wav(1));
    await device.put('Two.wav', wav(2));
    device.setBroken(true);
    for (let scans = 0; scans < 3; scans += 1) {
      expect(await device.scan()).toMatchObject({
        latest: { recordings: 0, failed: [{ code: 'io_failed' }, { code: 'io_failed' }] },
      });
    }
    expect(device.conversions).toBe(2);
    await device.restart();
    await device.scan();
    expect(device.conversions).toBe(4);
    device.setBroken(false);
    expect(await device.scan(true)).toMatchObject({ latest: { imported: 2, failed: [] } });
  });

  it('is not imported if the user declines, until the user requests it', async () => {
    await device.put('One.wav', wav(1));
    device.choose('cancel');
    for (let scans = 0; scans < 2; scans += 1) {
      expect(await device.scan()).toMatchObject({ latest: { imported: 0, declined: 1 } });
    }
    expect(device.questions).toEqual([1]);
    device.choose('import');
    expect(await device.scan(true)).toMatchObject({ latest: { imported: 1, declined: 0 } });
    const [record] = await device.records.queue(UID, false);
    expect(record?.autoTranscribe).toBe(false);
  });

  it('is reported if it is not available', async () => {
    await device.put('One.wav', wav(1));
    await device.scan();
    await rename(device.drive, `${device.drive}-away`);
    expect(await device.scan()).toMatchObject({
      status: 'failed',
      code: 'not_found',
      latest: { recordings: 1 },
    });
    await rename(`${device.drive}-away`, device.drive);
    expect(await device.scan()).toMatchObject({ status: 'done', latest: { recordings: 1 } });
  });
});

describe('files that are deleted after their import', () => {
  beforeEach(() => device.folders.setRetention(FOLDER.id, 'delete'));
  const names = async () => (await readdir(device.drive)).sort();

  it('stay until the server confirms a copy of the same content', async () => {
    await device.put('One.wav', wav(1));
    await device.put('Two.wav', wav(2));
    await device.scan();
    // This phone's storage isn't persistent here, so its copies don't count.
    expect(await names()).toEqual(['One.wav', 'Two.wav']);
    for (const { id, title } of await device.summaries()) {
      const bytes = wav(title === 'One' ? 1 : 2);
      const sha256 = sha256From(computeDigest(bytes).audioSha256);
      await device.records.update(id, {
        copies: { cloud: { status: 'stored', bytes: bytes.length, sha256 } },
      });
    }
    await device.scan();
    expect(await names()).toEqual(['One.wav', 'Two.wav']);
    const [first] = await device.summaries();
    const keptName = first?.title === 'One' ? 'Two.wav' : 'One.wav';
    const digest = computeDigest(wav(first?.title === 'One' ? 1 : 2)).audioSha256;
    device.setCloud((id) => (id === first?.id ? digest : null));
    expect(await device.scan()).toMatchObject({ latest: { released: 1, recordings: 1 } });
    expect(await names()).toEqual([keptName]);
    device.setStorage({ ...defaultStorageSetting, cloudSave: 0 });
    device.setCloud(() => computeDigest(wav(keptName === 'One.wav' ? 1 : 2)).audioSha256);
    await device.scan();
    expect(await names()).toEqual([keptName]);
    device.setStorage(defaultStorageSetting);
    expect(await device.scan()).toMatchObject({ latest: { released: 1 } });
    expect(await names()).toEqual([]);
    expect(await device.summaries()).toHaveLength(2);
  });

  it('stay if their content has changed without a change of size and date', async () => {
    await device.put('One.wav', wav(1));
    await device.scan();
    const [record] = await device.summaries();
    const sha256 = computeDigest(wav(1)).audioSha256;
    await device.records.update(record?.id ?? '', {
      copies: { cloud: { status: 'stored', bytes: 1, sha256: sha256From(sha256) } },
    });
    device.setCloud(() => sha256);
    await device.put('One.wav', wav(2));
    await device.scan();
    expect(await readFile(join(device.drive, 'One.wav'))).toEqual(Buffer.from(wav(2)));
  });
});

it('imports each file content exactly once in random histories of changes, canceled scans and restarts', async () => {
  const paths = ['a.wav', 'b.wav', 'c/d.wav'];
  const step = fc.oneof(
    fc.record({
      type: fc.constant('put' as const),
      path: fc.constantFrom(...paths),
      seed: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ type: fc.constant('delete' as const), path: fc.constantFrom(...paths) }),
    fc.record({ type: fc.constantFrom('scan' as const, 'cancel' as const, 'restart' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const folder = await mkdtemp(join(root, 'history-'));
      const history = await openDevice(folder);
      /** Digests of all contents that were in the folder during a completed scan. */
      const seen = new Set<string>();
      const onDrive = new Map<string, number>();
      const scan = async () => {
        const state = await history.scan();
        expect(state.status).toBe('done');
        for (const seed of onDrive.values()) seen.add(computeDigest(wav(seed)).sha256);
      };
      for (const [index, each] of steps.entries()) {
        if (each.type === 'put') {
          // A changed file gets a different modification time, as on a real drive.
          await history.put(each.path, wav(each.seed), RECORDED_AT + index * 1000);
          onDrive.set(each.path, each.seed);
        } else if (each.type === 'delete') {
          await rm(join(history.drive, each.path), { force: true });
          onDrive.delete(each.path);
        } else if (each.type === 'scan') await scan();
        else if (each.type === 'cancel') await history.cancelScan();
        else await history.restart();
      }
      await scan();
      const contents: string[] = [];
      for (const { id } of await history.summaries()) {
        const master = await history.audio.master(id);
        contents.push(computeDigest(new Uint8Array((await master?.arrayBuffer()) ?? [])).sha256);
      }
      expect(new Set(contents).size).toBe(contents.length);
      expect([...seen].filter((each) => !contents.includes(each))).toEqual([]);
      await history.database.close();
      expect(history.errors).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
