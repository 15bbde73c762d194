import type { RecorderFinder } from '@linnet/device/transport';
import { createStores, type SqlDatabase } from '@linnet/local-db';
import {
  type AudioStore,
  type AudioWorkshop,
  ChangeSync,
  CloudSync,
  finishLeftovers,
  ProgressBoard,
} from '@linnet/sync';
import type { RecorderWay, Services } from '../services.ts';
import { createAccount } from './account/account.ts';
import { createCleaner } from './library/cleaner.ts';
import { createImports } from './library/imports.ts';
import { createLibrary } from './library/library.ts';
import { createSummaries } from './library/summaries.ts';
import { log, reportError } from './log.ts';
import { createRecorder } from './recorder/recorder.ts';
import { watchServer } from './server/server-facts.ts';
import { createSettings } from './settings/settings.ts';
import { createChangesCloud, createServerCloud } from './transfers/server-cloud.ts';
import { webClock } from './transfers/web-clock.ts';

/** What the platform brings. */
export type Platform = {
  readonly database: SqlDatabase;
  readonly audio: AudioStore;
  readonly workshop: AudioWorkshop;
  /** @param virtualRecorders addresses of virtual recorders, as the server last told them */
  readonly finders: (
    virtualRecorders: () => readonly string[],
  ) => ReadonlyMap<RecorderWay['kind'], RecorderFinder>;
  readonly storagePersists: () => boolean;
  /** The language of the interface, BCP-47. */
  readonly language: () => string;
};

/** Puts the services together. @returns them, and how to stop everything they started */
export function createServices(platform: Platform): { services: Services; stop(): Promise<void> } {
  const { database, audio, workshop } = platform;
  const { records, changes } = createStores(database);
  const progress = new ProgressBoard();
  const account = createAccount(() => facts()?.agreementVersion ?? null);
  const server = watchServer(account.client);
  const facts = () => {
    const state = server.state.get();
    return state.status === 'unknown' ? null : state.facts;
  };
  const uid = () => {
    const state = account.service.state.get();
    return state.status === 'signed-in' ? state.user.id : null;
  };

  let cloudSync: CloudSync | null = null;
  let changeSync: ChangeSync | null = null;
  let stopCloud = new AbortController();
  let runningFor: string | null = null;

  const recorder = createRecorder({
    client: account.client,
    records,
    audio,
    progress,
    finders: platform.finders(() => {
      const url = facts()?.virtualRecorderUrl;
      return url ? [url] : [];
    }),
    onStored: () => cloudSync?.wake(),
    storagePersists: platform.storagePersists,
    log,
    onError: reportError,
  });

  const cleaner = createCleaner({ records, workshop, onError: reportError });
  const imports = createImports({
    records,
    audio,
    workshop,
    uid,
    onStored: () => cloudSync?.wake(),
    onError: reportError,
  });

  /** A VIP's recordings go to the cloud and become readable by themselves. */
  function policy() {
    const automatic = account.service.membership.get()?.isVip || facts()?.billing === 'off';
    const spoken = facts()?.languages.map(({ language }) => language) ?? [];
    const language = platform.language();
    return {
      upload: automatic === true,
      transcribe: automatic && spoken.includes(language) ? language : null,
    };
  }

  function startFor(owner: string): void {
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
    sync.subscribe(() => server.heard(sync.reach.status !== 'waiting'));
    sync.run(stopCloud.signal).catch(reportError);
    changeSync = new ChangeSync({
      uid: owner,
      changes,
      audio,
      cloud: createChangesCloud(account.client),
      clock: webClock,
      log,
    });
    changeSync.run(stopCloud.signal).catch(reportError);
    finishLeftovers({ uid: owner, records, audio, progress, log })
      .then(() => sync.wake())
      .catch(reportError);
    recorder.start(owner);
    void account.service.refresh();
  }

  async function stopAll(): Promise<void> {
    stopCloud.abort();
    cloudSync = null;
    changeSync = null;
    cleaner.stop();
    imports.stop();
    await recorder.stop();
  }

  async function followAccount(): Promise<void> {
    const owner = uid();
    if (owner === runningFor) return;
    runningFor = owner;
    await stopAll();
    // Somebody may have signed in or out again meanwhile; that change has its own call.
    if (owner !== null && runningFor === owner) startFor(owner);
  }

  const wake = () => {
    cloudSync?.wake();
    changeSync?.wake();
  };
  const unsubscribe = [
    account.service.state.subscribe(() => void followAccount().catch(reportError)),
    account.service.membership.subscribe(wake),
    server.state.subscribe(wake),
  ];
  window.addEventListener('online', wake);
  followAccount().catch(reportError);
  Promise.all([cleaner.sweep(), imports.sweep()]).catch(reportError);

  return {
    services: {
      account: account.service,
      server: server.state,
      recorder: recorder.service,
      library: createLibrary({
        records,
        changes,
        audio,
        workshop,
        progress,
        uid,
        onUser: account.service.state.subscribe,
        cloud: () => cloudSync,
        summarize: createSummaries({
          client: account.client,
          records,
          onMade: () => changeSync?.wake(),
        }),
        fetchAgain: recorder.fetchAgain,
        onError: reportError,
      }),
      cleaner: cleaner.service,
      imports: imports.service,
      settings: createSettings({
        changes,
        uid,
        onUser: account.service.state.subscribe,
        onError: reportError,
      }),
    },
    async stop() {
      window.removeEventListener('online', wake);
      for (const each of unsubscribe) each();
      await stopAll();
    },
  };
}
