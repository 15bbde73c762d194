/** A phone: the app's engines with the real protocol, API calls and files. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createServerCloud } from '@linnet/app/server-cloud';
import type { OpusModule } from '@linnet/audio/opus';
import type { Client } from '@linnet/contract/client';
import {
  DeviceError,
  FirmwareError,
  type FirmwareImage,
  type RecorderSession,
} from '@linnet/device/session';
import { TransportError } from '@linnet/device/transport';
import { migrate, type SqlDatabase } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  type AudioStore,
  type ChangeStore,
  type Clock,
  type CloudResult,
  type LiveText,
  ProgressBoard,
  RecorderSync,
  type RecordStore,
  readStoragePolicy,
  StorageFull,
  systemClock,
} from '@linnet/sync';
import { waitUntil } from '../support/wait-until.ts';
import { Killed, type Moment } from './app-run.ts';
import { Network } from './network.ts';
import { type PhoneApp, startApp, type Tamper, wakeApp } from './phone-app.ts';
import { type Disk, listFiles } from './phone-disk.ts';
import type { FaultRecorder, RecorderLink } from './recorder.ts';
import type { Account, FaultServer } from './server.ts';
import type { StepCounter } from './step-counter.ts';

/** Number of chunks written at once over Wi-Fi, as in the app. */
const CHUNKS_PER_BATCH = 160;

export type PhoneOptions = {
  readonly folder: string;
  readonly server: FaultServer;
  /** The account that is signed in at first. */
  readonly account: Account;
  readonly opus: OpusModule;
  readonly stepCounter: StepCounter;
  readonly tamper: Tamper;
  readonly onError: (error: unknown) => void;
};

export class FaultPhone {
  readonly network = new Network();
  readonly disk: Disk = { isFull: false };
  /** How far the phone's clock is ahead, in milliseconds. */
  clockOffset = 0;
  /** The app's log, across its runs. */
  readonly log: { readonly event: string; readonly facts: unknown }[] = [];
  readonly #options: PhoneOptions;
  #account: Account;
  #app: PhoneApp;

  private constructor(options: PhoneOptions, database: SqlDatabase) {
    this.#options = options;
    this.#account = options.account;
    this.#app = this.#start(database);
  }

  static async start(options: PhoneOptions): Promise<FaultPhone> {
    await mkdir(options.folder, { recursive: true });
    return new FaultPhone(options, await openDatabase(options.folder));
  }

  get records(): RecordStore {
    return this.#app.records;
  }

  get changes(): ChangeStore {
    return this.#app.changes;
  }

  get audio(): AudioStore {
    return this.#app.audio;
  }

  get client(): Client {
    return this.#app.client;
  }

  /** The text recognized in recent recordings while they were in progress, by recording ID. */
  get liveTexts(): ReadonlyMap<string, LiveText> {
    return this.#app.live.texts.get();
  }

  get isRunning(): boolean {
    return !this.#app.appRun.isKilled;
  }

  get uid(): string {
    return this.#account.id;
  }

  files() {
    return listFiles(this.#options.folder);
  }

  /** Kills the app now. */
  kill(): void {
    this.#app.appRun.kill();
  }

  /** Kills the app during one of its next writes. */
  killAt(writes: number, at: Moment): void {
    this.#app.appRun.killAt(writes, at);
  }

  /** Starts the app if it was killed. */
  async restart(): Promise<void> {
    const { appRun, database } = this.#app;
    if (!appRun.isKilled) return;
    await waitUntil('the last write has ended', () => appRun.hasFinishedWrites);
    await database.close();
    this.#app = this.#start(await openDatabase(this.#options.folder));
  }

  /** Signs in with another account. Unfinished work of the previous account waits until that account signs in again. */
  async signIn(account: Account): Promise<void> {
    if (account.id === this.uid) return;
    this.kill();
    await waitUntil('the last write has ended', () => this.#app.appRun.hasFinishedWrites);
    this.#account = account;
    await this.restart();
  }

  /** Notifies the engines that the network is back or that the user has opened the app. */
  wake(): void {
    wakeApp(this.#app, this.#reportError);
  }

  /** Connects to the recorder and transfers its sessions until the link is lost. */
  async connect(recorder: FaultRecorder): Promise<void> {
    await this.#link(() => recorder.connect(this.uid, this.clockOffset), 'bluetooth');
  }

  /**
   * Connects over the recorder's network and transfers its sessions until the link is lost. If the phone may not join
   * the network, transfers nothing until the recorder has closed the network.
   */
  async connectOverWifi(recorder: FaultRecorder): Promise<void> {
    await this.connect(recorder);
    const { session } = this.#app;
    if (session)
      await this.#link(() => recorder.connectOverWifi(session, this.clockOffset), 'wifi');
  }

  /** Starts sending firmware to the recorder, if it is connected. Doesn't wait for the end. */
  updateRecorder(image: FirmwareImage): void {
    const { session } = this.#app;
    if (session && this.isRunning) this.#run(session.updateFirmware(image));
  }

  async #link(
    open: () => Promise<RecorderLink | null>,
    medium: 'bluetooth' | 'wifi',
  ): Promise<void> {
    const app = this.#app;
    app.session = null;
    if (app.appRun.isKilled) return;
    try {
      const link = await open();
      if (!link) return this.#log('wifi.denied');
      const { session, drop } = link;
      if (app.appRun.isKilled) return drop();
      app.appRun.stop.signal.addEventListener('abort', drop, { once: true });
      app.session = session;
      const readManyChunks: RecorderSession['readSession'] = (id, from, options) =>
        session.readSession(id, from, { ...options, maxChunksPerCall: CHUNKS_PER_BATCH });
      const { tamper, server } = this.#options;
      const sync = new RecorderSync({
        session: tamper.session?.(session, server) ?? session,
        uid: this.uid,
        records: app.records,
        audio: app.audio,
        progress: new ProgressBoard(),
        storage: async () => readStoragePolicy(await app.changes.settings(this.uid)),
        isStoragePersistent: () => true,
        cloudDigest: createServerCloud(app.client, this.network.transfers).digest,
        onStored: () => app.cloudSync.wake(),
        live: app.liveSink,
        ...(medium === 'wifi' && {
          readComplete: readManyChunks,
          onAllRead: () => this.#run(session.closeWifi()),
        }),
        clock: this.#clock,
        log: this.#log,
      });
      app.recorderSync = sync;
      this.#run(sync.run(app.appRun.stop.signal));
    } catch (error) {
      if (!isLinkFailure(error)) throw error;
      this.#log('link.failed', { code: error.code });
    }
  }

  /**
   * Makes an edit. @returns true if the app confirmed it. If the app was killed, the edit may be saved despite `false`.
   */
  async edit(edit: Parameters<ChangeStore['edit']>[1]): Promise<boolean> {
    let isAccepted = false;
    await this.#runWhileAlive(async () => {
      isAccepted = await this.changes.edit(this.uid, edit);
    });
    return isAccepted;
  }

  /** Transcribes a recording at the user's request. */
  async transcribe(id: string): Promise<void> {
    await this.#runWhileAlive(() =>
      this.records.update(id, { problem: null, requestedLanguage: 'en' }),
    );
    this.#app.cloudSync.wake();
  }

  /** Dismisses a recording's failure, which makes the app retry. */
  async retry(id: string): Promise<void> {
    await this.#runWhileAlive(() => this.records.update(id, { problem: null }));
    this.#app.cloudSync.wake();
  }

  /** Deletes the audio of a recording from this phone at the user's request. */
  freeSpace(id: string): Promise<void> {
    return this.#runWhileAlive(() => this.#app.copies.free([id], false));
  }

  async download(id: string): Promise<void> {
    await this.#runWhileAlive(() =>
      this.records.update(id, { phoneRetention: 'always', problem: null }),
    );
    this.#app.downloads.request(id);
  }

  /** Pushes and pulls all changes. */
  poll(): Promise<CloudResult<null>> {
    return this.#app.changeSync.poll(this.#app.appRun.stop.signal);
  }

  async close(): Promise<void> {
    this.kill();
    await waitUntil('the last write has ended', () => this.#app.appRun.hasFinishedWrites);
    await this.#app.database.close();
  }

  /** Runs a user's request, which a kill or a full disk may end. */
  async #runWhileAlive(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      this.#reportError(error);
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch(this.#reportError);
  }

  readonly #reportError = (error: unknown) => {
    if (error instanceof Killed) return;
    // The app reports that the disk is full, and continues once it has space.
    if (error instanceof StorageFull) return this.#log('disk.full');
    if (isLinkFailure(error)) return this.#log('link.failed', { code: error.code });
    if (error instanceof FirmwareError) return this.#log('update.refused', { code: error.code });
    this.#options.onError(error);
  };

  readonly #log = (event: string, facts?: unknown) => {
    this.log.push({ event, facts: facts ?? null });
  };

  readonly #clock: Clock = {
    ...systemClock,
    now: () => Date.now() + this.clockOffset,
  };

  #start(opened: SqlDatabase): PhoneApp {
    const device = {
      ...this.#options,
      ...{ account: this.#account, network: this.network, disk: this.disk, clock: this.#clock },
      ...{ log: this.#log, onError: this.#reportError },
    };
    return startApp(device, opened);
  }
}

/** True if the recorder was unreachable or refused the request. */
const isLinkFailure = (error: unknown): error is DeviceError | TransportError =>
  error instanceof DeviceError || error instanceof TransportError;

async function openDatabase(folder: string): Promise<SqlDatabase> {
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  return database;
}
