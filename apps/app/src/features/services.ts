import type { RecorderFinder } from '@linnet/device/transport';
import { createStores, type SqlDatabase } from '@linnet/local-db';
import {
  type AudioStore,
  type AudioWorkshop,
  ChangeSync,
  CloudDownloads,
  type CloudResult,
  CloudSync,
  type DownloadPolicy,
  finishLeftovers,
  forgetOwner,
  ProgressBoard,
  type StoragePolicy,
  saveSettingOf,
  storagePolicyOf,
} from '@linnet/sync';
import { isMember } from '../ports/member.ts';
import type { NetworkKind } from '../ports/network.ts';
import type { PositionService } from '../ports/position.ts';
import type { RecorderWay } from '../ports/recorder.ts';
import type { Services } from '../ports/services.ts';
import type { Store } from '../ports/store.ts';
import type { DeviceSystem } from '../ports/system.ts';
import { nextTask } from '../runtime/next-task.ts';
import { writable } from '../stores.ts';
import { createClosing } from './account/closing.ts';
import { createProfile } from './account/profile.ts';
import { createExports } from './export/exports.ts';
import type { FileDoor } from './export/file-door.ts';
import type { Recode } from './export/sound.ts';
import { createUnderstoodFiles } from './export/understood-files.ts';
import { forgetFeedback } from './feedback/feedback.ts';
import { createCancel } from './library/cancel.ts';
import { createCleaner } from './library/cleaner.ts';
import { createImports, type SharedFile, type SharingFailed } from './library/imports.ts';
import { createInUse } from './library/in-use.ts';
import { createLibrary } from './library/library.ts';
import { createPhoneSpace, type StoredFiles } from './library/phone-space.ts';
import { createSounds } from './library/sounds.ts';
import { createSummaries } from './library/summaries.ts';
import { createVersions } from './library/versions.ts';
import { log, reportError } from './log.ts';
import { createMembership } from './membership/membership.ts';
import { createRecorder } from './recorder/recorder.ts';
import type { RecorderNetworks } from './recorder/recorder-networks.ts';
import { knownRecorders } from './recorder/remembered.ts';
import { createIndexKeeper } from './search/index-keeper.ts';
import { createSearch } from './search/search.ts';
import { ownerOf } from './server/server-address.ts';
import { createKeeping } from './settings/keeping.ts';
import { createSettings } from './settings/settings.ts';
import { lastSync } from './transfers/last-sync.ts';
import { createChangesCloud, createServerCloud } from './transfers/server-cloud.ts';
import { createWaiting } from './transfers/waiting.ts';
import { idle, webClock } from './transfers/web-clock.ts';
import { createUpdate, type ShellUpdate } from './update.ts';
import { factsOf, type Visitor } from './visitor.ts';

/** What browsers and phones do in ways of their own. */
export type PlatformAdapters = {
  /** @param virtualRecorders addresses of virtual recorders, as the server last told them */
  readonly finders: (
    virtualRecorders: () => readonly string[],
  ) => ReadonlyMap<RecorderWay['kind'], RecorderFinder>;
  /** Null where recorders' networks are joined by hand. */
  readonly networks: RecorderNetworks | null;
  readonly fileDoor: FileDoor;
  /** What network this device is on. */
  readonly network: Store<NetworkKind>;
  /** What other apps shared with this one, and was not dropped. */
  readonly sharedFiles: () => Promise<readonly SharedFile[]>;
  /** Calls back when something was shared while this app runs, or did not come before. */
  readonly onShared: (listener: SharingFailed) => void;
  /** Keeps this app running while something moves. @returns stops doing so */
  readonly keepRunning: (progress: ProgressBoard) => () => void;
};

/** What the platform brings. */
export type Platform = PlatformAdapters & {
  /** What keeps the app's own files. */
  readonly shell: ShellUpdate;
  readonly database: SqlDatabase;
  readonly audio: AudioStore;
  /** How loud packets of a recording are that came just now, 0–255 each. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  readonly workshop: AudioWorkshop;
  readonly recode: Recode;
  readonly storagePersists: () => boolean;
  readonly storedFiles: StoredFiles;
  readonly position: PositionService;
  readonly system: DeviceSystem;
  /** The language of the interface, BCP-47. */
  readonly language: () => string;
};

/** Services, and how to stop everything that they started. */
export type Running = { readonly services: Services; stop(): Promise<void> };

/** Puts the services of somebody signed in together. */
export function createServices(visitor: Visitor, platform: Platform): Running {
  const { account, owner: uid, server, address, feedback } = visitor;
  const { database, audio, workshop, recode, network } = platform;
  const { records, changes, search, room } = createStores(database);
  const progress = new ProgressBoard();
  const facts = () => factsOf(server.state.get());

  /** Whether the server's changes were read to their end since somebody signed in. */
  const heard = writable(false);
  let cloudSync: CloudSync | null = null;
  let downloads: CloudDownloads | null = null;
  let changeSync: ChangeSync | null = null;
  let stopCloud = new AbortController();
  let runningFor: string | null = null;
  /** The last stopping, which may still be under way. */
  let stopping: Promise<void> = Promise.resolve();
  /** Whether anything was ever started, so that there is something to stop. */
  let started = false;

  const settings = createSettings({
    changes,
    heard,
    uid,
    onUser: account.service.state.subscribe,
    onError: reportError,
  });
  const keeping = createKeeping(settings.all);

  /** Reads the storage policy of the signed-in account from the database. */
  async function storage(): Promise<StoragePolicy> {
    const owner = uid();
    return storagePolicyOf(owner === null ? [] : await changes.settings(owner));
  }

  const cloudDigest = createServerCloud(account.client).digest;

  const recorder = createRecorder({
    client: account.client,
    server: address.current,
    records,
    audio,
    levels: platform.levels,
    async deleteForGood(recording) {
      const owner = uid();
      if (owner !== null) await changes.edit(owner, { type: 'recording.delete', recording });
    },
    progress,
    // Facts that an older version kept have none.
    finders: platform.finders(() => facts()?.virtualRecorderUrls ?? []),
    networks: platform.networks,
    onStored: () => cloudSync?.wake(),
    storage,
    cloudDigest,
    storagePersists: platform.storagePersists,
    clock: webClock,
    log,
    onError: reportError,
  });

  const inUse = createInUse();
  const cleaner = createCleaner({ records, workshop, inUse, onError: reportError });
  const imports = createImports({
    records,
    audio,
    workshop,
    uid,
    balanceUsed() {
      const known = facts();
      // Switched on until the settings were read.
      const isAutomatic =
        hasMembership() &&
        keeping.cloud()?.autoSync !== false &&
        known?.languages.some(({ language }) => language === platform.language()) === true;
      if (!isAutomatic || known?.billing === 'off') return null;
      return { leftMinutes: account.service.membership.get()?.leftMinutes ?? null };
    },
    onStored: () => cloudSync?.wake(),
    onError: reportError,
  });

  /** What a restart would interrupt. */
  const isBusy = () => {
    const { firmware, transfer, link } = recorder.service;
    const { status } = firmware.update.get();
    return (
      ['joining', 'moving'].includes(transfer.state.get().status) ||
      ['connecting', 'hotspot'].includes(link.get().status) ||
      [...progress.get().values()].some(({ step }) => step !== 'transcribe') ||
      imports.service.state.get().some(({ state }) => state.status !== 'failed') ||
      [...cleaner.service.state.get().values()].some((each) => each.status === 'working') ||
      !['idle', 'done', 'failed'].includes(status)
    );
  };
  const update = createUpdate(platform.shell, isBusy, [
    progress,
    imports.service.state,
    cleaner.service.state,
    recorder.service.firmware.update,
    recorder.service.transfer.state,
    recorder.service.link,
  ]);

  const hasMembership = () =>
    facts()?.billing === 'off' ||
    isMember(account.service.membership.get(), account.service.state.get(), new Date());

  /**
   * A VIP's recordings go to the cloud and become readable by themselves, unless they switched that off. Those
   * that are not to be kept there go only to be transcribed. Nothing moves before the settings were read.
   */
  function policy() {
    const cloud = keeping.cloud();
    const automatic = hasMembership() && cloud?.autoSync === true;
    const spoken = facts()?.languages.map(({ language }) => language) ?? [];
    const language = platform.language();
    return {
      upload: automatic && keeping.save().cloudSave === 1,
      transcribe: automatic && spoken.includes(language) ? language : null,
      maySend: cloud !== null && !(cloud.wifiOnly && network.get() === 'mobile'),
    };
  }

  /**
   * Audio that is only in the cloud comes to phones that keep audio, over the networks that uploads may use. What the
   * setting is on the server has to be known: another phone may have changed it.
   */
  function downloadPolicy(): DownloadPolicy {
    const { maySend } = policy();
    return { all: heard.get() && keeping.save().appSave === 1, mayReceive: maySend };
  }

  async function look(): Promise<CloudResult<null>> {
    cloudSync?.wake();
    const answer = await changeSync?.look(stopCloud.signal);
    return answer ?? { ok: false, failure: { kind: 'aborted' } };
  }

  const phoneSpace = createPhoneSpace({
    records,
    audio,
    files: platform.storedFiles,
    inUse,
    cloudDigest,
    settings,
    storage,
    look,
    uid,
    now: () => new Date(),
    onError: reportError,
  });
  const freeByRule = () => void phoneSpace.freeByRule().catch(reportError);

  /** Deletes what is due by the storage setting now, and again when the next place's grace is over. */
  let dueTimer = 0;
  function deleteWhatIsDue(): void {
    clearTimeout(dueTimer);
    recorder.keepingChanged();
    freeByRule();
    const now = webClock.now();
    const later = Object.values(keeping.deletesFrom()).filter((at) => at !== null && at > now);
    if (later.length === 0) return;
    dueTimer = window.setTimeout(deleteWhatIsDue, Math.min(...(later as number[])) - now);
  }

  /** What was shared while nobody was signed in waits. */
  function takeShared(): void {
    if (uid() !== null) platform.sharedFiles().then(imports.addShared).catch(reportError);
  }

  function startFor(owner: string): void {
    started = true;
    stopCloud = new AbortController();
    const sync = new CloudSync({
      uid: owner,
      records,
      audio,
      workshop,
      cloud: createServerCloud(account.client),
      progress,
      policy,
      clock: webClock,
      log,
    });
    cloudSync = sync;
    sync.run(stopCloud.signal).catch(reportError);
    const down = new CloudDownloads({
      uid: owner,
      records,
      audio,
      workshop,
      cloud: createServerCloud(account.client),
      progress,
      // Read at each look: what the server just told is not in the settings' store yet.
      async policy() {
        const { mayReceive } = downloadPolicy();
        const kept = saveSettingOf(await changes.settings(owner));
        return { all: heard.get() && kept.appSave === 1, mayReceive };
      },
      async freeBytes() {
        const estimate = await platform.storedFiles.estimate();
        return estimate && Math.max(0, estimate.most - estimate.used);
      },
      clock: webClock,
      log,
    });
    downloads = down;
    down.run(stopCloud.signal).catch(reportError);
    const exchange = new ChangeSync({
      uid: owner,
      changes,
      audio,
      cloud: createChangesCloud(account.client),
      clock: webClock,
      log,
      onCaughtUp: (changed) => {
        heard.set(uid() === owner);
        lastSync.set(owner, webClock.now(), reportError);
        // What came may be in the cloud by now, or is not wanted here any more.
        if (changed) freeByRule();
        // What another phone brought may want a transcript, or have one under way.
        if (changed) sync.again();
      },
    });
    changeSync = exchange;
    exchange.run(stopCloud.signal).catch(reportError);
    // Each speaks to the server by itself: it is out of reach as long as one of them waits for it.
    const heardOf = () =>
      server.heard(![sync, exchange, down].some(({ reach }) => reach.status === 'waiting'));
    sync.subscribe(heardOf);
    down.subscribe(heardOf);
    exchange.subscribe(heardOf);
    finishLeftovers({ uid: owner, records, audio, progress, log })
      .then(() => sync.wake())
      .catch(reportError);
    takeShared();
    recorder.start(owner);
    void account.service.refresh();
  }

  function stopAll(): Promise<void> {
    stopping = stopEverything();
    return stopping;
  }

  async function stopEverything(): Promise<void> {
    stopCloud.abort();
    cloudSync = null;
    downloads = null;
    changeSync = null;
    heard.set(false);
    cleaner.stop();
    imports.stop();
    await recorder.stop();
  }

  async function followAccount(): Promise<void> {
    const owner = uid();
    if (owner === runningFor) return;
    const before = runningFor;
    runningFor = owner;
    if (started) await stopAll();
    if (before !== null) recorder.lock(before);
    await nextTask();
    // Somebody may have signed in or out again meanwhile; that change has its own call.
    if (owner !== null && runningFor === owner) startFor(owner);
  }

  /** Takes everything of an account off this phone. */
  async function forget(owner: string): Promise<void> {
    // Somebody else may be signed in by now, whose things go on.
    await (owner === runningFor ? stopAll() : stopping);
    for (const { sn } of knownRecorders.lastUsedFirst(owner)) knownRecorders.forget(owner, sn);
    lastSync.forget(owner);
    forgetFeedback(owner);
    await forgetOwner({ records, changes, audio }, owner);
  }

  const closing = createClosing({
    account,
    address: address.current,
    freeRecorder: recorder.free,
    forget: (id) => forget(ownerOf(address.current, id)),
    onError: reportError,
  });

  const wake = () => {
    closing.settle().catch(reportError);
    cloudSync?.wake();
    downloads?.wake();
    changeSync?.wake();
  };
  const seen = () => document.visibilityState === 'visible' && recorder.seen();
  const keeper = createIndexKeeper({
    search,
    watch: records.subscribe,
    pause: idle,
    onError: reportError,
  });
  platform.onShared((failed, code) => {
    imports.addFailed(failed, code);
    takeShared();
  });
  const unsubscribe = [
    keeper.stop,
    update.stop,
    platform.keepRunning(progress),
    account.service.state.subscribe(() => void followAccount().catch(reportError)),
    account.service.membership.subscribe(wake),
    server.state.subscribe(wake),
    network.subscribe(wake),
    heard.subscribe(() => downloads?.wake()),
    keeping.subscribe(() => {
      cloudSync?.wake();
      downloads?.wake();
      deleteWhatIsDue();
    }),
  ];
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', seen);
  followAccount().catch(reportError);
  closing.settle().catch(reportError);
  Promise.all([cleaner.sweep(), imports.sweep(), phoneSpace.sweep()]).catch(reportError);

  return {
    services: {
      account: account.service,
      server: server.state,
      address,
      profile: createProfile({ account, close: closing.close }),
      feedback,
      room,
      recorder: recorder.service,
      library: createLibrary({
        records,
        changes,
        progress,
        uid,
        onUser: account.service.state.subscribe,
        cloud: () => cloudSync,
        downloads: () => downloads,
        summarize: createSummaries({
          client: account.client,
          records,
          onMade: () => changeSync?.wake(),
        }),
        cancelTranscription: createCancel(account.client, records, () => cloudSync?.wake()),
        versions: createVersions(account.client, records),
        sound: createSounds({ client: account.client, records, audio, workshop, inUse }),
        fetchAgain: recorder.fetchAgain,
        look,
        onError: reportError,
      }),
      cleaner: cleaner.service,
      imports: imports.service,
      exports: createExports({
        ...{ client: account.client, records, audio, workshop, recode, uid },
        fileDoor: platform.fileDoor,
        inUse,
        onError: reportError,
      }),
      search: createSearch({
        search,
        client: account.client,
        clock: webClock,
        uid,
        watch: (listener) => {
          const unwatch = [records.subscribe(listener), account.service.state.subscribe(listener)];
          return () => {
            for (const stop of unwatch) stop();
          };
        },
        backlog: keeper.backlog,
        server: server.state,
        onError: reportError,
      }),
      settings,
      understood: createUnderstoodFiles(platform.fileDoor, reportError),
      network,
      system: platform.system,
      phoneSpace: phoneSpace.service,
      waiting: createWaiting({
        records,
        changes,
        uid,
        policy,
        downloadPolicy,
        downloadsLackSpace: () => downloads?.lacksSpace ?? false,
        reaches: () => [cloudSync, changeSync, downloads].flatMap((sync) => sync?.reach ?? []),
        recorderIsThere: () => recorder.service.link.get().status === 'connected',
        hasRoom: () => room.get() === 'enough',
        rests: () =>
          !hasMembership()
            ? 'not_member'
            : keeping.save().cloudSave === 0
              ? 'cloud_off'
              : keeping.cloud()?.autoSync === false
                ? 'switched_off'
                : null,
        lastSync: () => lastSync.get(uid()),
        watch: (listener) => {
          const unwatch = [
            records.subscribe(listener),
            account.service.state.subscribe(listener),
            account.service.membership.subscribe(listener),
            server.state.subscribe(listener),
            network.subscribe(listener),
            keeping.subscribe(listener),
            recorder.service.link.subscribe(listener),
            room.subscribe(listener),
            heard.subscribe(listener),
          ];
          return () => {
            for (const stop of unwatch) stop();
          };
        },
        onError: reportError,
      }),
      membership: createMembership({
        client: account.client,
        onChanged: () => void account.service.refresh(),
      }),
      position: platform.position,
      update: update.service,
    },
    async stop() {
      window.removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', seen);
      clearTimeout(dueTimer);
      for (const each of unsubscribe) each();
      await stopAll();
    },
  };
}
