/**
 * Simulates a phone for `copies.test.ts`. Runs the app's real engines with an in-memory database and in-memory files,
 * and injects network failures and crashes.
 */
import { PACKET_SAMPLES } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import type { CallName, Recording } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { toSource } from '@linnet/contract/statuses';
import { createStores, migrate, type SqlDatabase } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  type AudioProcessor,
  AudioStoreError,
  type ChangeStore,
  ChangeSync,
  type Cloud,
  CloudDownloads,
  type CloudResult,
  CloudSync,
  createPhoneCopies,
  type DatedSetting,
  finishLeftovers,
  type PhoneCopies,
  ProgressBoard,
  parseSha256,
  RecorderSync,
  type RecordStore,
  readStoragePolicy,
  readStorageSetting,
  type UploadMetadata,
} from '@linnet/sync';
import type { Account, TestServer } from '../server.ts';
import { grantFor, postObject } from '../uploads.ts';
import type { Activity, ManualClock } from './activity.ts';
import { MemoryAudio } from './memory-audio.ts';
import { computeDigest, type MemoryRecorder } from './recorder.ts';

/** Thrown to simulate the app being terminated. */
class Crash extends Error {}

export type PhoneOptions = {
  readonly server: TestServer;
  /** The signed-in account with its current tokens. */
  readonly account: () => Account;
  readonly opus: OpusModule;
  readonly clock: ManualClock;
  readonly activity: Activity;
  /** Whether the platform guarantees that storage persists. */
  readonly isStoragePersistent: boolean;
  /** Called before files are removed from the phone. */
  readonly beforeRemove: (phone: Phone, id: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** State that is lost when the app ends. */
type App = {
  readonly records: RecordStore;
  readonly changes: ChangeStore;
  readonly cloudSync: CloudSync;
  readonly downloads: CloudDownloads;
  readonly changeSync: ChangeSync;
  readonly copies: PhoneCopies;
  readonly stop: AbortController;
  settings: readonly DatedSetting[];
  recorder: { readonly sync: RecorderSync; dropConnection(): void } | null;
};

/** A phone with its database and files, running the app's engines, wired up as in the app. */
export class Phone {
  readonly audio: MemoryAudio;
  /** Whether the phone has a network connection. */
  online = true;
  /** Number of upcoming calls whose responses are dropped. */
  lostResponses = 0;
  /** Number of commits until the app crashes. */
  commitsUntilCrash = Number.POSITIVE_INFINITY;
  /** Whether the user is deleting audio from this phone. */
  isFreeingSpace = false;
  /** Whether leftover files of a terminated app are being deleted. */
  isSweeping = false;
  readonly #options: PhoneOptions;
  readonly #database: SqlDatabase;
  #app: App;
  #hasCrashed = false;

  private constructor(options: PhoneOptions, database: SqlDatabase) {
    this.#options = options;
    this.#database = database;
    this.audio = new MemoryAudio(options.opus);
    this.#app = this.#start();
  }

  static async make(options: PhoneOptions): Promise<Phone> {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    return new Phone(options, database);
  }

  get records(): RecordStore {
    return this.#app.records;
  }

  get changes(): ChangeStore {
    return this.#app.changes;
  }

  get isConnected(): boolean {
    return this.#app.recorder !== null;
  }

  get #uid(): string {
    return this.#options.account().id;
  }

  /** Reads the current settings from the database. */
  settings(): Promise<readonly DatedSetting[]> {
    return this.#app.changes.settings(this.#uid);
  }

  /** Connects to a recorder. */
  connect(recorder: MemoryRecorder): void {
    this.disconnect();
    const { activity, clock, isStoragePersistent } = this.#options;
    const app = this.#app;
    const { session, disconnect: dropConnection } = recorder.connect();
    const sync = new RecorderSync({
      session: activity.watch(session),
      uid: this.#uid,
      records: app.records,
      audio: this.#files(),
      progress: new ProgressBoard(),
      storage: async () => readStoragePolicy(await app.changes.settings(this.#uid)),
      isStoragePersistent: () => isStoragePersistent,
      cloudDigest: this.#cloud().digest,
      onStored: () => app.cloudSync.wake(),
      clock,
      log: () => {},
    });
    app.recorder = { sync, dropConnection };
    this.#run(sync.run(app.stop.signal));
  }

  disconnect(): void {
    this.#app.recorder?.dropConnection();
    this.#app.recorder = null;
  }

  /** Notifies the engines that the network is back, a setting has changed, or the user has opened the app. */
  wake(): void {
    const { cloudSync, downloads, changeSync } = this.#app;
    cloudSync.wake();
    downloads.wake();
    changeSync.wake();
    this.#runDueDeletions();
  }

  /** Deletes recordings' audio from this phone at the user's request. */
  async freeSpace(ids: readonly string[]): Promise<void> {
    this.isFreeingSpace = true;
    try {
      await this.#runWhileAlive(() => this.#app.copies.free(ids, false));
    } finally {
      this.isFreeingSpace = false;
    }
  }

  /** Downloads a recording's audio at the user's request. */
  async download(id: string): Promise<void> {
    await this.#runWhileAlive(() =>
      this.records.update(id, { phoneRetention: 'always', problem: null }),
    );
    this.#app.downloads.request(id);
  }

  /** Transcribes a recording at the user's request. */
  async transcribe(id: string): Promise<void> {
    await this.#runWhileAlive(() =>
      this.records.update(id, { problem: null, requestedLanguage: 'en' }),
    );
    this.#app.cloudSync.wake();
  }

  /** Runs work that a crash may interrupt. */
  async #runWhileAlive(work: () => Promise<unknown>): Promise<void> {
    await this.#options.activity.during(work).catch(this.#reportError);
  }

  async edit(operation: Parameters<ChangeStore['edit']>[1]): Promise<void> {
    await this.#runWhileAlive(() => this.changes.edit(this.#uid, operation));
  }

  /** Restarts the app. */
  async restart(): Promise<void> {
    this.disconnect();
    this.#app.stop.abort();
    await this.#options.activity.waitUntilIdle();
    this.#hasCrashed = false;
    this.commitsUntilCrash = Number.POSITIVE_INFINITY;
    this.#app = this.#start();
    await this.#options.activity.waitUntilIdle();
  }

  /** Restarts the app if it has crashed. @returns whether it had crashed */
  async restartIfCrashed(): Promise<boolean> {
    if (!this.#hasCrashed) return false;
    await this.restart();
    return true;
  }

  async close(): Promise<void> {
    this.disconnect();
    this.#app.stop.abort();
    await this.#options.activity.waitUntilIdle();
    await this.#database.close();
  }

  readonly #reportError = (error: unknown) => {
    if (!(error instanceof Crash)) this.#options.onError(error);
  };

  #run(work: Promise<unknown>): void {
    work.catch(this.#reportError);
  }

  /** Wraps the audio files to count each use and announce each removal in advance. */
  #files(): MemoryAudio {
    const { audio } = this;
    const { activity, beforeRemove } = this.#options;
    const observedAudio = activity.watch(audio);
    return new Proxy(observedAudio, {
      get: (target, name) =>
        name === 'remove'
          ? (id: string) =>
              activity.during(async () => {
                await beforeRemove(this, id);
                await audio.remove(id);
              })
          : Reflect.get(target, name),
    });
  }

  #start(): App {
    const { clock, activity } = this.#options;
    const time = () => new Date(clock.now()).toISOString();
    const uid = this.#uid;
    const { records, changes } = createStores(this.#crashingDatabase(time), time, (error) => {
      throw error;
    });
    const audio = this.#files();
    const cloud = this.#cloud();
    const progress = new ProgressBoard();
    const stop = new AbortController();
    const audioProcessor = this.#audioProcessor();
    const log = () => {};
    let hasResponded = false;
    const policy = () => ({
      upload: readStorageSetting(app.settings).cloudSave === 1,
      transcribe: null,
      languages: [],
      maySend: true,
    });
    const cloudSync = new CloudSync({
      ...{ uid, records, audio, cloud, progress, policy, clock, log },
      audioProcessor: { denoised: async () => null },
    });
    const downloads = new CloudDownloads({
      ...{ uid, records, audio, cloud, progress, audioProcessor, clock, log },
      policy: async () => {
        const { appSave } = readStorageSetting(await changes.settings(uid));
        return { all: hasResponded && appSave === 1, mayReceive: true };
      },
      freeBytes: async () => null,
    });
    const changeSync = new ChangeSync({
      ...{ uid, changes, audio, clock, log },
      cloud: activity.watch({
        apply: (ops) => this.#call('sync/apply', { ops }),
        changes: (cursor) => this.#call('sync/changes', cursor === undefined ? {} : { cursor }),
      }),
      onCaughtUp: (changed) => {
        hasResponded = true;
        downloads.wake();
        if (!changed) return;
        this.#runDueDeletions();
        cloudSync.requestPass();
      },
    });
    const copies = createPhoneCopies({
      ...{ records, audio },
      files: async () => this.audio.list(),
      isInUse: () => false,
      cloudDigest: cloud.digest,
      set: async (group_name, config_key, config_value) => {
        await changes.edit(uid, { type: 'setting.set', group_name, config_key, config_value });
      },
      storage: async () => readStoragePolicy(await changes.settings(uid)),
      poll: () => changeSync.poll(stop.signal),
      uid: () => uid,
      now: () => new Date(clock.now()),
      onError: this.#reportError,
    });
    const app: App = {
      ...{ records, changes, cloudSync, downloads, changeSync, copies, stop },
      settings: [],
      recorder: null,
    };
    this.#app = app;
    const readSettings = async () => {
      const before = JSON.stringify(readStorageSetting(app.settings));
      app.settings = await changes.settings(uid);
      if (JSON.stringify(readStorageSetting(app.settings)) !== before) this.wake();
    };
    changes.subscribe(() => this.#run(activity.during(readSettings)));
    this.#run(
      activity.during(async () => {
        await readSettings();
        // This runs concurrently, as it does when the app starts.
        this.#run(activity.during(() => this.#sweep(copies)));
        this.#run(
          activity.during(async () => {
            await finishLeftovers({ uid, records, audio, progress, log });
            cloudSync.wake();
          }),
        );
        for (const engine of [cloudSync, downloads, changeSync]) this.#run(engine.run(stop.signal));
      }),
    );
    return app;
  }

  async #sweep(copies: PhoneCopies): Promise<void> {
    this.isSweeping = true;
    await copies.sweep().finally(() => {
      this.isSweeping = false;
    });
  }

  #runDueDeletions(): void {
    const { recorder, copies } = this.#app;
    recorder?.sync.recheck();
    this.#run(this.#options.activity.during(() => copies.applyStoragePolicy()));
  }

  /** Wraps the database so that it uses the test's clock and crashes before or after commits. */
  #crashingDatabase(time: () => string): SqlDatabase {
    const database = this.#database;
    let isDead = false;
    const assertAlive = () => {
      if (isDead) throw new Crash();
    };
    const crash = () => {
      isDead = true;
      this.#hasCrashed = true;
      throw new Crash();
    };
    // Replace SQLite's system time with the test's clock.
    const replaceNow = (sql: string) => sql.replaceAll(`'now'`, `'${time()}'`);
    return {
      query: async (sql, values) => {
        assertAlive();
        return database.query(replaceNow(sql), values);
      },
      batch: async (statements) => {
        assertAlive();
        this.commitsUntilCrash -= 0.5;
        if (this.commitsUntilCrash <= 0) crash();
        const rows = await database.batch(
          statements.map(([sql, values]) =>
            values ? [replaceNow(sql), values] : [replaceNow(sql)],
          ),
        );
        this.commitsUntilCrash -= 0.5;
        if (this.commitsUntilCrash <= 0) crash();
        return rows;
      },
      close: () => database.close(),
    };
  }

  async #call<Name extends CallName>(name: Name, body: unknown) {
    return this.#sendOverNetwork(async () => {
      const { server, account } = this.#options;
      const response = await server.call(name, body, { token: account().access });
      if (response.code === codes.ok) return { ok: true, data: response.data } as const;
      const { code, msg } = response;
      return { ok: false, failure: { kind: 'server', code, msg } } as const;
    });
  }

  /** Makes a call over the phone's network, which may be offline or drop the response. */
  async #sendOverNetwork<T>(call: () => Promise<CloudResult<T>>): Promise<CloudResult<T>> {
    const failed = (failure: CallFailure) => ({ ok: false, failure }) as const;
    if (!this.online) return failed({ kind: 'network', cause: 'offline' });
    const response = await call();
    if (this.lostResponses === 0) return response;
    this.lostResponses -= 1;
    return failed({ kind: 'timeout' });
  }

  /** Creates the cloud port. Makes real calls to the server, like the app's `server-cloud.ts`. */
  #cloud(): Cloud {
    const { server, account, activity } = this.#options;
    const cloudState = (
      { id, name, scene, seconds, sn, recordedAt }: UploadMetadata,
      size: number,
    ) => ({
      name: name.slice(0, limits.recording.nameMaxLength),
      source: toSource(scene),
      scene,
      ...{ file_size: size, ext: 'ogg', mime_type: 'audio/ogg' },
      ...{ total_time: seconds, sn, client_flag: id, recorded_at: recordedAt },
    });
    const cloud: Cloud = {
      check: (record) => this.#call('upload/checkOssFile', { ...cloudState(record, 0), url: '' }),
      digest: async (client_flag) => {
        const response = await this.#call('upload/checkOssFile', { client_flag });
        if (!response.ok) return response;
        const serverRecording: Recording | null = response.data;
        return {
          ok: true,
          data: serverRecording?.url ? parseSha256(serverRecording.audio_sha256) : null,
        };
      },
      mergeTranscripts: (id, parts) => this.#call('task/merge', { id, parts: [...parts] }),
      upload: async (record, file) => {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const storedFile = await this.#sendOverNetwork(async () => {
          const grant = await grantFor(server, account());
          const { statusCode: status } = await postObject(server, grant, bytes);
          if (status !== 204) return { ok: false, failure: { kind: 'http', status } };
          return { ok: true, data: grant.url };
        });
        if (!storedFile.ok) return storedFile;
        const sha256 = computeDigest(bytes);
        const body = { ...cloudState(record, bytes.length), url: storedFile.data, sha256 };
        return this.#call('upload/ossFile', body);
      },
      uploadForTask: () => Promise.reject(new Error('no denoised audio here')),
      download: (serverId, fromByte, onPiece) =>
        this.#sendOverNetwork(async () => {
          const { data } = await server.call(
            'task/index',
            { ids: [serverId], limit: 1 },
            { token: account().access },
          );
          const url = data?.list[0]?.url;
          if (!url) return { ok: false, failure: { kind: 'http', status: 404 } };
          const { pathname, search } = new URL(url);
          const response = await server.app.inject({
            url: `${pathname}${search}`,
            headers: { host: 'localhost:8080', range: `bytes=${fromByte}-` },
          });
          const { statusCode: status, rawPayload } = response;
          if (status === 416) return { ok: true, data: null };
          if (status !== 206) return { ok: false, failure: { kind: 'http', status } };
          await onPiece(new Uint8Array(rawPayload), fromByte + rawPayload.length);
          return { ok: true, data: null };
        }),
      createTask: (id, { language, replaces }) =>
        this.#call('task/create', {
          id,
          language,
          ...(replaces !== undefined && { again: replaces }),
        }),
      list: async (ids) => {
        const response = await this.#call('task/index', { ids, limit: 1000 });
        return response.ok ? { ok: true, data: response.data.list } : response;
      },
      task: (id) => this.#call('task/detail', { id }),
    };
    return activity.watch(cloud);
  }

  /** Decodes only WAV files at the recorder's sample rate. */
  #audioProcessor(): Pick<AudioProcessor, 'convert'> {
    const { opus } = this.#options;
    return this.#options.activity.watch<Pick<AudioProcessor, 'convert'>>({
      convert: async (id, file) => {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (new TextDecoder().decode(bytes.subarray(0, 4)) !== 'RIFF') {
          throw new AudioStoreError('not_audio');
        }
        const samples = new Int16Array(bytes.slice(44).buffer);
        const encoder = opus.createEncoder();
        const packets = await this.audio.openPackets(id, 1);
        for (let offset = 0; offset + PACKET_SAMPLES <= samples.length; offset += PACKET_SAMPLES) {
          await packets.append(
            encoder.encode(samples.subarray(offset, offset + PACKET_SAMPLES)).slice(),
          );
        }
        encoder.free();
        await packets.close();
        return { kind: null };
      },
    });
  }
}
