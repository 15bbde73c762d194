/**
 * Runs the engines that sync the signed-in account with the server: uploads, downloads and changes. They start on
 * sign-in and stop on sign-out.
 */
import type { Writable } from '@linnet/base';
import type { createStores } from '@linnet/local-db';
import {
  type AudioProcessor,
  type AudioStore,
  ChangeSync,
  CloudDownloads,
  type CloudReachability,
  type CloudResult,
  CloudSync,
  deleteAccountData,
  finishLeftovers,
  type ProgressBoard,
  readStorageSetting,
  systemClock,
} from '@linnet/sync';
import { nextTask } from '../../runtime/next-task.ts';
import { deleteDrafts } from '../drafts.ts';
import { deleteFeedbackDraft } from '../feedback/feedback.ts';
import type { StoredFiles } from '../library/phone-space.ts';
import { log, reportError } from '../log.ts';
import { knownOmi } from '../omi/known-omi.ts';
import { storedBlocks } from '../omi/stored-blocks.ts';
import { knownPocket } from '../pocket/known-pocket.ts';
import { transferredFiles } from '../pocket/transferred-files.ts';
import { knownRecorders } from '../recorder/known-recorders.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { ServerWatch } from '../server/server-info.ts';
import type { CloudPolicies } from '../transfers/cloud-policy.ts';
import { lastSync } from '../transfers/last-sync.ts';
import { createChangesCloud, createServerCloud } from '../transfers/server-cloud.ts';
import type { Account } from './account.ts';

type Stores = ReturnType<typeof createStores>;

export type AccountSessionOptions = {
  readonly account: Account;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly server: Pick<ServerWatch, 'reportReachable'>;
  readonly records: Stores['records'];
  readonly changes: Stores['changes'];
  readonly audio: AudioStore;
  readonly audioProcessor: AudioProcessor;
  readonly storedFiles: Pick<StoredFiles, 'estimate'>;
  readonly progress: ProgressBoard;
  readonly policies: Pick<CloudPolicies, 'upload' | 'download'>;
  /** Whether all server changes since sign-in have been read. */
  readonly caughtUp: Writable<boolean>;
  /** Whether many changes are being received from the server. */
  readonly isReceiving: Writable<boolean>;
  readonly recorder: Pick<Recorder, 'start' | 'stop' | 'removeKeys'>;
  /** Called with the account after the engines have started. */
  readonly onStarted: (owner: string) => void;
  /** Called after changes have been received from the server. */
  readonly onChanged: () => void;
  /** Called when the engines stop, before the recorder is disconnected. */
  readonly onStopping: () => void;
};

export type AccountSession = {
  readonly cloudSync: () => CloudSync | null;
  readonly downloads: () => CloudDownloads | null;
  /** Returns each engine's connection state. */
  readonly connections: () => readonly CloudReachability[];
  /** Makes all engines check for work. */
  wake(): void;
  /** Pushes pending changes to the server and pulls its changes. */
  poll(): Promise<CloudResult<null>>;
  /** Schedules a pull of the server's changes. */
  pollSoon(): void;
  /** Starts or stops the engines. Call it after each sign-in and sign-out. */
  followAccount(): Promise<void>;
  /** Deletes all of an account's data from this phone. */
  forget(owner: string): Promise<void>;
  stop(): Promise<void>;
};

type Engines = {
  readonly owner: string;
  readonly cloudSync: CloudSync;
  readonly downloads: CloudDownloads;
  readonly changeSync: ChangeSync;
  readonly stop: AbortController;
};

export function createAccountSession(options: AccountSessionOptions): AccountSession {
  const { account, uid, server, records, changes, audio, audioProcessor, progress, policies } =
    options;
  const { caughtUp, recorder } = options;
  let engines: Engines | null = null;
  /** The account whose engines are running or starting. */
  let currentOwner: string | null = null;
  /** Settles when the last stop has completed. */
  let stopping: Promise<void> = Promise.resolve();
  /** Whether engines were ever started and so need to be stopped. */
  let hasStarted = false;

  function start(owner: string): void {
    hasStarted = true;
    const stop = new AbortController();
    const shared = { uid: owner, records, audio, progress, clock: systemClock, log };
    const cloud = createServerCloud(account.client);
    const cloudSync = new CloudSync({ ...shared, audioProcessor, cloud, policy: policies.upload });
    const downloads = new CloudDownloads({
      ...shared,
      audioProcessor,
      cloud,
      // Read the database, because the settings store may not have the latest changes yet.
      async policy() {
        const { mayReceive } = policies.download();
        const { appSave } = readStorageSetting(await changes.settings(owner));
        return { all: caughtUp.get() && appSave === 1, mayReceive };
      },
      async freeBytes() {
        const estimate = await options.storedFiles.estimate();
        return estimate && Math.max(0, estimate.quota - estimate.usage);
      },
    });
    const changeSync = new ChangeSync({
      uid: owner,
      changes,
      audio,
      cloud: createChangesCloud(account.client),
      clock: systemClock,
      log,
      onReceiving: options.isReceiving.set,
      onCaughtUp(changed) {
        caughtUp.set(uid() === owner);
        lastSync.set(owner, systemClock.now(), reportError);
        if (!changed) return;
        options.onChanged();
        // The changes may include a recording from another phone whose transcription must be requested or tracked.
        cloudSync.requestPass();
      },
    });
    engines = { owner, cloudSync, downloads, changeSync, stop };
    // The server counts as unreachable while any engine is waiting for it.
    const allEngines = [cloudSync, downloads, changeSync];
    const reportReachability = () =>
      server.reportReachable(
        !allEngines.some(({ reachability }) => reachability.status === 'waiting'),
      );
    for (const engine of allEngines) {
      engine.run(stop.signal).catch(reportError);
      engine.subscribe(reportReachability);
    }
    finishLeftovers({ uid: owner, records, audio, progress, log })
      .then(() => cloudSync.wake())
      .catch(reportError);
    options.onStarted(owner);
    recorder.start(owner);
    void account.service.refresh();
  }

  async function stopEngines(): Promise<void> {
    engines?.stop.abort();
    engines = null;
    caughtUp.set(false);
    options.onStopping();
    await recorder.stop();
  }

  function stop(): Promise<void> {
    stopping = stopEngines();
    return stopping;
  }

  return {
    cloudSync: () => engines?.cloudSync ?? null,
    downloads: () => engines?.downloads ?? null,
    connections() {
      if (!engines) return [];
      const { cloudSync, changeSync, downloads } = engines;
      return [cloudSync, changeSync, downloads].map(({ reachability }) => reachability);
    },
    wake() {
      engines?.cloudSync.wake();
      engines?.downloads.wake();
      engines?.changeSync.wake();
    },
    async poll() {
      if (!engines) return { ok: false, failure: { kind: 'aborted' } };
      engines.cloudSync.wake();
      return engines.changeSync.poll(engines.stop.signal);
    },
    pollSoon: () => engines?.changeSync.wake(),
    async followAccount() {
      const owner = uid();
      if (owner === currentOwner) return;
      const previousOwner = currentOwner;
      currentOwner = owner;
      if (hasStarted) await stop();
      if (previousOwner !== null) recorder.removeKeys(previousOwner);
      await nextTask();
      // If the account has changed again, the call for that change starts the engines.
      if (owner !== null && currentOwner === owner) start(owner);
    },
    async forget(owner) {
      // If another account is signed in, leave its engines running.
      await (owner === currentOwner ? stop() : stopping);
      for (const { sn } of knownRecorders.lastUsedFirst(owner)) knownRecorders.forget(owner, sn);
      knownOmi.forget(owner);
      storedBlocks.forgetAccount(owner);
      knownPocket.forget(owner);
      transferredFiles.forgetAccount(owner);
      lastSync.forget(owner);
      deleteFeedbackDraft(owner);
      deleteDrafts(owner);
      await deleteAccountData({ records, changes, audio }, owner);
    },
    stop,
  };
}
