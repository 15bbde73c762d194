/**
 * Creates the services for a signed-in account and connects them. Only this module knows which service uses which;
 * modules in `features/` are passed everything they need as options.
 */
import { merged, writable } from '@linnet/base';
import { languageSetting } from '@linnet/contract/statuses';
import { createStores } from '@linnet/local-db';
import {
  awaitsTranscript,
  ProgressBoard,
  RecordingMerger,
  readStoragePolicy,
  type StoragePolicy,
  systemClock,
} from '@linnet/sync';
import i18next from 'i18next';
import { createAccountClosure } from '../features/account/account-closure.ts';
import { createApiKeys } from '../features/account/api-keys.ts';
import { createCalendarAddress } from '../features/account/calendar-address.ts';
import { createProfile } from '../features/account/profile.ts';
import { createRetention } from '../features/account/retention.ts';
import { createAccountSession } from '../features/account/session.ts';
import { createShareLinks } from '../features/account/share-links.ts';
import { createVaults } from '../features/account/vaults.ts';
import { createWebhooks } from '../features/account/webhooks.ts';
import { createQuestions } from '../features/ask/questions.ts';
import { createBusyRule } from '../features/busy.ts';
import { createDrafts } from '../features/drafts.ts';
import { createAnalysisFiles } from '../features/export/analysis-files.ts';
import { createExports } from '../features/export/exports.ts';
import { createDenoiser } from '../features/library/denoiser.ts';
import { createInUse } from '../features/library/in-use.ts';
import { createLibrary } from '../features/library/library.ts';
import { createMerging } from '../features/library/merging.ts';
import { createPhoneSpace } from '../features/library/phone-space.ts';
import { createAudioFinder } from '../features/library/playable-audio.ts';
import { createRangeTranscription } from '../features/library/range-transcription.ts';
import { createRetranscription } from '../features/library/retranscription.ts';
import { createSummaries } from '../features/library/summaries.ts';
import { createTranscriptionCancel } from '../features/library/transcription-cancel.ts';
import { createVersions } from '../features/library/versions.ts';
import { createLiveTexts } from '../features/live/live-text.ts';
import { createRecordLanguages } from '../features/live/record-languages.ts';
import { log, reportError } from '../features/log.ts';
import { createMembership } from '../features/membership/membership.ts';
import { createNotificationEmails } from '../features/notifications/notification-emails.ts';
import { createNotifications } from '../features/notifications/notifications.ts';
import { createPhoneNotifications } from '../features/notifications/phone-notifications.ts';
import { createRecorderSpaceNotices } from '../features/notifications/recorder-space-notices.ts';
import type { Platform } from '../features/platform.ts';
import { createSearch } from '../features/search/search.ts';
import { createSearchIndexer } from '../features/search/search-indexer.ts';
import { getAccountKey } from '../features/server/server-address.ts';
import { createDueDeletions } from '../features/settings/due-deletions.ts';
import { createSettings } from '../features/settings/settings.ts';
import { createStorageSettings } from '../features/settings/storage-settings.ts';
import { getServerInfo, type SignedOut } from '../features/signed-out.ts';
import { createCloudPolicies } from '../features/transfers/cloud-policy.ts';
import { createIdle } from '../features/transfers/idle.ts';
import { lastSync } from '../features/transfers/last-sync.ts';
import { createPendingWork } from '../features/transfers/pending-work.ts';
import { createServerCloud } from '../features/transfers/server-cloud.ts';
import { createUpdate } from '../features/update.ts';
import { createDeviceVault } from '../features/vault/device-vault.ts';
import { createVoices } from '../features/voices/voices.ts';
import { paths, recordingPath } from '../page-kit/paths.ts';
import type { Services } from '../ports/services.ts';
import { createImporting } from './importing.ts';
import { createRecordingSources } from './recording-sources.ts';

/** The running services and a function to stop them. */
export type RunningServices = { readonly services: Services; stop(): Promise<void> };

export function createServices(signedOut: SignedOut, platform: Platform): RunningServices {
  const { account, owner: uid, server, address, feedback } = signedOut;
  const { client } = account;
  const { state: user, membership } = account.service;
  const { database, audio, audioProcessor, recode, network } = platform;
  const onError = reportError;
  const stores = createStores(database, undefined, onError);
  const { records, changes, search, folders: folderStore, vaults: vaultStore, diskSpace } = stores;
  const progress = new ProgressBoard();
  const serverInfo = () => getServerInfo(server.state.get());
  const caughtUp = writable(false);
  const isReceiving = writable(false);
  const onStored = () => session.cloudSync()?.wake();

  const settings = createSettings({ changes, caughtUp, uid, onUser: user.subscribe, onError });
  const storageSettings = createStorageSettings(settings.all);
  const cloudDigest = createServerCloud(client).digest;

  /** Reads the signed-in account's storage policy from the database. */
  async function storage(): Promise<StoragePolicy> {
    const owner = uid();
    return readStoragePolicy(owner === null ? [] : await changes.settings(owner));
  }

  const policies = createCloudPolicies({
    account: account.service,
    settings: storageSettings,
    serverInfo,
    network,
    isCaughtUp: caughtUp.get,
    language: platform.language,
  });
  const languages = createRecordLanguages({ records, uid, onUser: user.subscribe, onError });
  const live = createLiveTexts({
    client,
    audio,
    records,
    pull: () => session.poll(),
    policy: policies.live,
    getLanguage: languages.of,
    watchPolicy: merged(membership, user, server.state, network, storageSettings),
    isVisible: () => document.visibilityState === 'visible',
    clock: systemClock,
    log,
    onError,
  });

  const { importer, imports, folders } = createImporting({
    platform,
    records,
    store: folderStore,
    uid,
    serverInfo,
    cloudDigest,
    storage,
    onStored,
    getBalance: () =>
      policies.importsUseMinutes()
        ? { remainingMinutes: membership.get()?.remainingMinutes ?? null }
        : null,
  });
  const sources = createRecordingSources({
    platform,
    client,
    server: address.current,
    // Server info stored by an older app version lacks these URLs.
    virtualRecorderUrls: () => serverInfo()?.virtualRecorderUrls ?? [],
    records,
    changes,
    importer,
    progress,
    live: live.sink,
    uid,
    storage,
    cloudDigest,
    onStored,
  });
  const { recorder } = sources;

  const inUse = createInUse();
  const denoiser = createDenoiser({ records, audioProcessor, inUse, onError });

  /** Imports files shared by other apps. Files shared while signed out wait until the user signs in. */
  function importShared(): void {
    if (uid() !== null) platform.sharedFiles().then(imports.addShared).catch(onError);
  }

  const deviceVault = createDeviceVault({
    store: vaultStore,
    records,
    picker: platform.vaults,
    uid,
    onError,
    origin: location.origin,
    clock: systemClock,
  });
  const { notifications: device } = platform;
  const notifications =
    device?.kind === 'phone'
      ? createPhoneNotifications({
          device,
          records,
          uid,
          isCaughtUp: caughtUp.get,
          isVisible: () => document.visibilityState === 'visible',
          recordingPath: (id, paragraph) =>
            recordingPath(id, paragraph ? { paragraph } : undefined),
          startPath: paths.files,
          t: i18next.t,
          language: platform.language,
          now: () => new Date(),
          onError,
        })
      : createNotifications(client, device);
  const recorderSpaceNotices = createRecorderSpaceNotices({
    ...{ link: recorder.service.link, device, uid, onError },
  });
  const swept = Promise.all([denoiser.sweep(), importer.sweep()]).catch(onError);
  const session = createAccountSession({
    account,
    uid,
    server,
    records,
    changes,
    audio,
    audioProcessor,
    storedFiles: platform.storedFiles,
    progress,
    policies,
    caughtUp,
    isReceiving,
    recorder: {
      start: sources.start,
      async stop() {
        await sources.stop();
        live.stop();
      },
      removeKeys: sources.removeKeys,
    },
    onStarted(owner) {
      live.start();
      importShared();
      folders.start();
      deviceVault.start();
      notifications.renew().catch(onError);
      // Until its record exists, a new recording's files look like the leftovers of an interrupted import, so wait
      // for the sweep.
      void swept.then(() => {
        if (uid() === owner) merging.continuations.start(owner);
      });
    },
    // After a change from the server, the storage policy may allow a local copy to be deleted.
    onChanged: () => applyStoragePolicy(),
    onStopping() {
      denoiser.stop();
      merging.stop();
      imports.stop();
      folders.stop();
      deviceVault.stop();
    },
  });

  const phoneSpace = createPhoneSpace({
    records,
    audio,
    files: platform.storedFiles,
    inUse,
    cloudDigest,
    settings,
    storage,
    poll: session.poll,
    uid,
    now: () => new Date(),
    onError,
  });
  const applyStoragePolicy = () => void phoneSpace.applyStoragePolicy().catch(onError);
  const dueDeletions = createDueDeletions({
    earliestDeletions: storageSettings.earliestDeletions,
    now: systemClock.now,
    deleteDue() {
      recorder.storagePolicyChanged();
      applyStoragePolicy();
    },
  });

  const library = createLibrary({
    records,
    changes,
    progress,
    uid,
    onUser: user.subscribe,
    cloud: session.cloudSync,
    downloads: session.downloads,
    summarize: createSummaries({ client, records, onCreated: session.pollSoon }),
    transcribeRange: createRangeTranscription(client, records, onStored),
    cancelTranscription: createTranscriptionCancel(client, records, onStored),
    versions: createVersions(client, records),
    findAudio: createAudioFinder({ client, records, audio, audioProcessor, inUse }),
    refetch: sources.refetch,
    poll: session.poll,
    onError,
  });
  const merging = createMerging({
    records,
    library,
    inUse,
    uid,
    onStored,
    onError,
    merger: new RecordingMerger({
      records,
      changes,
      audio,
      audioProcessor,
      onError,
      mergesTranscripts: () => serverInfo()?.mergesTranscripts === true,
    }),
    // Until the settings, the server's languages and its changes have loaded, assume that any recording may still be
    // transcribed.
    awaitsTranscript: (record) =>
      !caughtUp.get() ||
      storageSettings.cloud() === null ||
      serverInfo() === null ||
      awaitsTranscript(record, policies.upload()),
  });

  const busy = createBusyRule({
    recorder: recorder.service,
    progress,
    imports: imports.service,
    folders: folders.service,
    denoiser: denoiser.service,
    merging: merging.service,
    pocket: sources.services.pocket,
  });
  const update = createUpdate(platform.shell, busy.isBusy, busy.sources);

  const closing = createAccountClosure({
    account,
    address: address.current,
    unbindRecorder: recorder.unbindConnected,
    forget: (id) => session.forget(getAccountKey(address.current, id)),
    onError,
  });

  const wake = () => {
    closing.settle().catch(onError);
    session.wake();
    live.wake();
  };
  const onVisibility = () => {
    live.wake();
    if (document.visibilityState === 'visible') sources.pageVisible();
    else notifications.pageHidden();
  };
  const pause = createIdle(isReceiving);
  const indexer = createSearchIndexer({ search, watch: records.subscribe, pause, onError });
  platform.onShared((failed, code) => {
    imports.addFailed(failed, code);
    importShared();
  });
  const unsubscribe = [
    indexer.stop,
    recorderSpaceNotices.stop,
    records.subscribe(notifications.recordsChanged),
    update.stop,
    dueDeletions.stop,
    platform.keepRunning(progress),
    // Emails and checkout pages use the account's language.
    platform.onLanguageChanged((language) => {
      settings.set(languageSetting.group, languageSetting.key, language).catch(onError);
    }),
    user.subscribe(() => void session.followAccount().catch(onError)),
    merged(membership, server.state, network)(wake),
    languages.subscribe(live.wake),
    merged(records, storageSettings, server.state, caughtUp)(merging.continuations.check),
    caughtUp.subscribe(() => session.downloads()?.wake()),
    storageSettings.subscribe(() => {
      session.cloudSync()?.wake();
      session.downloads()?.wake();
      live.wake();
      dueDeletions.check();
    }),
  ];
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', onVisibility);
  session.followAccount().catch(onError);
  closing.settle().catch(onError);
  phoneSpace.sweep().catch(onError);

  return {
    services: {
      account: account.service,
      server: server.state,
      address,
      profile: createProfile({ account, close: closing.close }),
      feedback,
      diskSpace,
      ...sources.services,
      library,
      liveText: live.service,
      denoiser: denoiser.service,
      merging: merging.service,
      drafts: createDrafts(uid, onError),
      imports: imports.service,
      folders: folders.service,
      exports: createExports({
        client,
        records,
        audio,
        audioProcessor,
        recode,
        uid,
        fileSharing: platform.fileSharing,
        inUse,
        onError,
      }),
      search: createSearch({
        search,
        client,
        clock: systemClock,
        uid,
        watch: merged(records, user),
        backlog: indexer.backlog,
        server: server.state,
        onError,
      }),
      questions: createQuestions({ client, records, uid, watch: merged(records, user), onError }),
      settings,
      analysisFiles: createAnalysisFiles(platform.fileSharing, onError),
      network,
      system: platform.system,
      phoneSpace: phoneSpace.service,
      pendingWork: createPendingWork({
        records,
        changes,
        uid,
        policy: policies.upload,
        downloadPolicy: policies.download,
        isDownloadSpaceLow: () => session.downloads()?.isSpaceLow ?? false,
        connections: session.connections,
        isRecorderConnected: () => recorder.service.link.get().status === 'connected',
        hasDiskSpace: () => diskSpace.get() === 'enough',
        uploadPause: policies.pauseReason,
        lastSync: () => lastSync.get(uid()),
        watch: merged(
          records,
          user,
          membership,
          server.state,
          network,
          storageSettings,
          recorder.service.link,
          diskSpace,
          caughtUp,
        ),
        onError,
      }),
      membership: createMembership({ client, onChanged: () => void account.service.refresh() }),
      retranscription: createRetranscription(client, session.pollSoon),
      apiKeys: createApiKeys(client),
      shareLinks: createShareLinks(client, platform.fileSharing),
      retention: createRetention(client, session.pollSoon),
      calendarAddress: createCalendarAddress(client),
      vaults: createVaults(client),
      deviceVault: deviceVault.service,
      webhooks: createWebhooks(client),
      voices: createVoices(client, session.pollSoon),
      notifications,
      notificationEmails: createNotificationEmails(client),
      recorderSpaceNotices,
      position: platform.position,
      update: update.service,
    },
    async stop() {
      window.removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', onVisibility);
      for (const cancel of unsubscribe) cancel();
      await session.stop();
    },
  };
}
