import type { Writable } from '@linnet/base';
import type { createStores } from '@linnet/local-db';
import {
  type AudioStore,
  type AudioWorkshop,
  ChangeSync,
  CloudDownloads,
  type CloudReach,
  type CloudResult,
  CloudSync,
  deleteAccountData,
  finishLeftovers,
  type ProgressBoard,
  readSaveSetting,
} from '@linnet/sync';
import { nextTask } from '../../runtime/next-task.ts';
import { deleteFeedbackDraft } from '../feedback/feedback.ts';
import type { StoredFiles } from '../library/phone-space.ts';
import { log, reportError } from '../log.ts';
import { knownRecorders } from '../recorder/known-recorders.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { ServerWatch } from '../server/server-facts.ts';
import type { CloudPolicies } from '../transfers/cloud-policy.ts';
import { lastSync } from '../transfers/last-sync.ts';
import { createChangesCloud, createServerCloud } from '../transfers/server-cloud.ts';
import { webClock } from '../transfers/web-clock.ts';
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
  readonly workshop: AudioWorkshop;
  readonly storedFiles: Pick<StoredFiles, 'estimate'>;
  readonly progress: ProgressBoard;
  readonly policies: Pick<CloudPolicies, 'upload' | 'download'>;
  /** Whether all server changes since the sign-in have been read. */
  readonly caughtUp: Writable<boolean>;
  readonly recorder: Pick<Recorder, 'start' | 'stop' | 'removeKeys'>;
  /** Called when an account's sync engines have started. */
  readonly onStarted: () => void;
  /** Called when changes arrived from the server. */
  readonly onChanged: () => void;
  /** Called when the engines stop, before the recorder's link ends. */
  readonly onStopping: () => void;
};

/** Runs the sync engines of the signed-in account. */
export type AccountSession = {
  readonly cloudSync: () => CloudSync | null;
  readonly downloads: () => CloudDownloads | null;
  /** The server connection state of each engine. */
  readonly reaches: () => readonly CloudReach[];
  /** Makes all engines check for work. */
  wake(): void;
  /** Pushes pending changes to the server and pulls its changes. */
  poll(): Promise<CloudResult<null>>;
  /** Pulls the server's changes soon. */
  pollSoon(): void;
  /** Starts or stops the engines after a sign-in or sign-out. */
  followAccount(): Promise<void>;
  /** Deletes everything of an account from this phone. */
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
  const { account, uid, server, records, changes, audio, workshop, progress, policies } = options;
  const { caughtUp, recorder } = options;
  let engines: Engines | null = null;
  /** The account of the running or starting engines. */
  let runningFor: string | null = null;
  /** The last stop, which may still be in progress. */
  let stopping: Promise<void> = Promise.resolve();
  /** Whether engines were ever started and need stopping. */
  let hasStarted = false;

  function start(owner: string): void {
    hasStarted = true;
    const stop = new AbortController();
    const shared = { uid: owner, records, audio, progress, clock: webClock, log };
    const cloud = createServerCloud(account.client);
    const cloudSync = new CloudSync({ ...shared, workshop, cloud, policy: policies.upload });
    const downloads = new CloudDownloads({
      ...shared,
      workshop,
      cloud,
      // Reads the database, because the settings store may not have the latest changes yet.
      async policy() {
        const { mayReceive } = policies.download();
        const { appSave } = readSaveSetting(await changes.settings(owner));
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
      clock: webClock,
      log,
      onCaughtUp(changed) {
        caughtUp.set(uid() === owner);
        lastSync.set(owner, webClock.now(), reportError);
        if (!changed) return;
        options.onChanged();
        // Another phone's recording may need a transcript or have one in progress.
        cloudSync.requestPass();
      },
    });
    engines = { owner, cloudSync, downloads, changeSync, stop };
    // The server counts as unreachable while any engine waits for it.
    const all = [cloudSync, downloads, changeSync];
    const reportReach = () =>
      server.reportReachable(!all.some(({ reach }) => reach.status === 'waiting'));
    for (const engine of all) {
      engine.run(stop.signal).catch(reportError);
      engine.subscribe(reportReach);
    }
    finishLeftovers({ uid: owner, records, audio, progress, log })
      .then(() => cloudSync.wake())
      .catch(reportError);
    options.onStarted();
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
    reaches() {
      if (!engines) return [];
      const { cloudSync, changeSync, downloads } = engines;
      return [cloudSync, changeSync, downloads].map(({ reach }) => reach);
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
      if (owner === runningFor) return;
      const previous = runningFor;
      runningFor = owner;
      if (hasStarted) await stop();
      if (previous !== null) recorder.removeKeys(previous);
      await nextTask();
      // A sign-in or sign-out during the wait makes its own call.
      if (owner !== null && runningFor === owner) start(owner);
    },
    async forget(owner) {
      // The engines of another signed-in account continue.
      await (owner === runningFor ? stop() : stopping);
      for (const { sn } of knownRecorders.lastUsedFirst(owner)) knownRecorders.forget(owner, sn);
      lastSync.forget(owner);
      deleteFeedbackDraft(owner);
      await deleteAccountData({ records, changes, audio }, owner);
    },
    stop,
  };
}
