/** The app on a phone: the sync engines, composed as in the app. */
import { createChangesCloud, createServerCloud } from '@linnet/app/server-cloud';
import type { OpusModule } from '@linnet/audio/opus';
import type { Client } from '@linnet/contract/client';
import type { RecorderSession } from '@linnet/device/session';
import { createStores, type SqlDatabase } from '@linnet/local-db';
import {
  type AudioStore,
  type ChangeStore,
  ChangeSync,
  type ChangesCloud,
  type Clock,
  type Cloud,
  CloudDownloads,
  CloudSync,
  createPhoneCopies,
  type DatedSetting,
  finishLeftovers,
  LiveSender,
  type LiveSenderOptions,
  type LiveSink,
  type Log,
  type PhoneCopies,
  ProgressBoard,
  type RecorderSync,
  type RecorderSyncOptions,
  type RecordStore,
  readStoragePolicy,
  readStorageSetting,
} from '@linnet/sync';
import { openFileAudioProcessor } from '../support/file-audio-processor.ts';
import { AppRun } from './app-run.ts';
import type { Network } from './network.ts';
import { type Disk, killableAudio, killableDatabase, listFiles } from './phone-disk.ts';
import type { Account, FaultServer } from './server.ts';
import type { StepCounter } from './step-counter.ts';

/** Parts of a phone that a mutation can replace with defective ones. */
type Parts = {
  readonly audio: AudioStore;
  readonly cloud: Cloud;
  readonly changes: ChangesCloud;
  /** Sends the packets of recordings in progress. */
  readonly appendLive: LiveSenderOptions['append'];
  readonly records: RecordStore;
  readonly session: RecorderSyncOptions['session'];
};
export type Tamper = {
  readonly [Part in keyof Parts]?: (part: Parts[Part], server: FaultServer) => Parts[Part];
};

/** State that is lost when the app ends. */
export type PhoneApp = {
  readonly appRun: AppRun;
  readonly database: SqlDatabase;
  readonly audio: AudioStore;
  readonly records: RecordStore;
  readonly changes: ChangeStore;
  readonly client: Client;
  readonly cloudSync: CloudSync;
  readonly downloads: CloudDownloads;
  readonly changeSync: ChangeSync;
  readonly copies: PhoneCopies;
  /** Collects the text of recordings in progress. */
  readonly live: LiveSender;
  /** Receives the packets of recordings in progress. */
  readonly liveSink: LiveSink;
  settings: readonly DatedSetting[];
  recorderSync: RecorderSync | null;
  /** The session over the latest link. */
  session: RecorderSession | null;
};

/** Parts of a phone that outlive the app. */
type Device = {
  readonly folder: string;
  readonly server: FaultServer;
  /** The signed-in account. */
  readonly account: Account;
  readonly opus: OpusModule;
  readonly stepCounter: StepCounter;
  readonly tamper: Tamper;
  readonly network: Network;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** Starts the app. @param opened the phone's database */
export function startApp(device: Device, opened: SqlDatabase): PhoneApp {
  const { folder, server, account, opus, stepCounter, tamper, clock, log, onError } = device;
  const { id: uid } = account;
  const run = (work: Promise<unknown>) => void work.catch(onError);
  const appRun = new AppRun(stepCounter);
  const time = () => new Date(clock.now()).toISOString();
  const killable = { appRun, disk: device.disk };
  const database = killableDatabase(opened, { ...killable, time });
  const { records: store, changes } = createStores(database, time, onError);
  const records = tamper.records?.(store, server) ?? store;
  const files = killableAudio(folder, opus, killable);
  const audio = tamper.audio?.(files, server) ?? files;
  const client = server.client(account, async (...request) => {
    return appRun.read(() => device.network.fetch(...request));
  });
  const calls = createServerCloud(client, device.network.transfers);
  const cloud = tamper.cloud?.(calls, server) ?? calls;
  const changeCalls = createChangesCloud(client);
  const progress = new ProgressBoard();
  const audioProcessor = openFileAudioProcessor(folder, opus);
  let hasCaughtUp = false;
  const cloudSync = new CloudSync({
    ...{ uid, records, audio, cloud, progress, clock, log },
    audioProcessor: { denoised: async () => null },
    policy: () => ({
      upload: readStorageSetting(app.settings).cloudSave === 1,
      transcribe: 'en',
      languages: ['en'],
      maySend: true,
    }),
  });
  const downloads = new CloudDownloads({
    ...{ uid, records, audio, cloud, progress, clock, log },
    audioProcessor: { convert: (...args) => appRun.write(() => audioProcessor.convert(...args)) },
    policy: async () => {
      const { appSave } = readStorageSetting(await changes.settings(uid));
      return { all: hasCaughtUp && appSave === 1, mayReceive: true };
    },
    freeBytes: async () => null,
  });
  const changeSync = new ChangeSync({
    ...{ uid, changes, audio, clock, log },
    cloud: tamper.changes?.(changeCalls, server) ?? changeCalls,
    onCaughtUp: (changed) => {
      hasCaughtUp = true;
      downloads.wake();
      if (!changed) return;
      app.recorderSync?.recheck();
      run(copies.applyStoragePolicy());
      cloudSync.requestPass();
    },
  });
  const copies = createPhoneCopies({
    ...{ records, audio },
    files: () => listFiles(folder),
    isInUse: () => false,
    cloudDigest: cloud.digest,
    set: async (group_name, config_key, config_value) => {
      await changes.edit(uid, { type: 'setting.set', group_name, config_key, config_value });
    },
    storage: async () => readStoragePolicy(await changes.settings(uid)),
    poll: () => changeSync.poll(appRun.stop.signal),
    uid: () => uid,
    now: () => new Date(clock.now()),
    onError,
  });
  const appendLive: LiveSenderOptions['append'] = (body, signal) =>
    client.call('live/append', body, { signal });
  const live = new LiveSender({
    ...{ audio, clock, log, onError },
    append: tamper.appendLive?.(appendLive, server) ?? appendLive,
    language: () => (readStorageSetting(app.settings).cloudSave === 1 ? 'en' : null),
    words: async () => [],
    isVisible: () => true,
  });
  appRun.stop.signal.addEventListener('abort', () => live.stop(), { once: true });
  const app: PhoneApp = {
    ...{
      appRun,
      database,
      audio,
      records,
      changes,
      client,
      cloudSync,
      downloads,
      changeSync,
      copies,
      live,
    },
    liveSink: createWatchingSink(live),
    settings: [],
    recorderSync: null,
    session: null,
  };
  const readSettings = async () => {
    const before = JSON.stringify(readStorageSetting(app.settings));
    app.settings = await changes.settings(uid);
    if (JSON.stringify(readStorageSetting(app.settings)) !== before) wakeApp(app, onError);
  };
  changes.subscribe(() => run(readSettings()));
  const begin = async () => {
    await readSettings();
    run(copies.sweep());
    run(finishLeftovers({ uid, records, audio, progress, log }).then(() => cloudSync.wake()));
    for (const engine of [cloudSync, downloads, changeSync]) {
      run(engine.run(appRun.stop.signal));
    }
  };
  run(begin());
  return app;
}

/** Creates a sink whose live text is watched, as on the page of a recording. Text that isn't watched isn't polled for. */
function createWatchingSink(live: LiveSender): LiveSink {
  const watchedIds = new Set<string>();
  return {
    add(id, ...packets) {
      if (!watchedIds.has(id)) live.watch(id);
      watchedIds.add(id);
      live.add(id, ...packets);
    },
    end: (id, bytes) => live.end(id, bytes),
    drop: (id) => live.drop(id),
  };
}

/** Notifies the engines that the network is back or that the user has opened the app. */
export function wakeApp(app: PhoneApp, onError: (error: unknown) => void): void {
  const { cloudSync, downloads, changeSync, recorderSync, copies, live, appRun } = app;
  if (appRun.isKilled) return;
  cloudSync.wake();
  downloads.wake();
  changeSync.wake();
  live.wake();
  recorderSync?.recheck();
  copies.applyStoragePolicy().catch(onError);
}
