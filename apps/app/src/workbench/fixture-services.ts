/**
 * Static services for showing pages in their various states. Most calls that change data fail or stay pending, as the
 * query requests.
 */
import type { CallFailure } from '@linnet/contract/client';
import { createExports } from '../features/export/exports.ts';
import { createInUse } from '../features/library/in-use.ts';
import { createWebFileSharing } from '../platform/web/file-sharing.ts';
import type { AccountState } from '../ports/account.ts';
import type { PendingWork } from '../ports/pending-work.ts';
import type { RecorderFailure } from '../ports/recorder.ts';
import type { Services } from '../ports/services.ts';
import type { Outcome } from '../ports/store.ts';
import { createFixtureApiKeys } from './fixtures/api-keys.ts';
import { denoisings, pendingImports } from './fixtures/audio-work.ts';
import { recorderFailures } from './fixtures/binding.ts';
import { createFixtureCalendarAddress } from './fixtures/calendar-address.ts';
import { constantStore, neverSettles } from './fixtures/constant.ts';
import { createFixtureDeviceVault } from './fixtures/device-vault.ts';
import { createFixtureDrafts } from './fixtures/drafts.ts';
import { createFixtureFolders } from './fixtures/folders.ts';
import { createFixtureLibrary, requestedRecords } from './fixtures/library.ts';
import { createFixtureLiveText } from './fixtures/live-text.ts';
import { balance, consumption, orders, plans } from './fixtures/membership.ts';
import {
  createFixtureNotificationEmails,
  createFixtureNotifications,
  createFixtureSpaceNotices,
} from './fixtures/notifications.ts';
import { createFixtureOmi } from './fixtures/omi.ts';
import { createFixturePocket } from './fixtures/pocket.ts';
import { createFixtureQuestions } from './fixtures/questions.ts';
import { createFixtureRecorder } from './fixtures/recorder-service.ts';
import { createFixtureRetention } from './fixtures/retention.ts';
import { searchResults } from './fixtures/search.ts';
import { serverStates } from './fixtures/server.ts';
import { fixtureSettings } from './fixtures/settings.ts';
import { createFixtureShareLinks } from './fixtures/share-links.ts';
import { pendingRecordings, phoneSpace } from './fixtures/storage.ts';
import { createFixtureRecorders } from './fixtures/this-device.ts';
import { createFixtureVaults } from './fixtures/vaults.ts';
import { voices } from './fixtures/voices.ts';
import { createFixtureWebhooks } from './fixtures/webhooks.ts';
import type { RequestedState } from './requested-state.ts';

const callFailures: Readonly<Record<string, CallFailure>> = {
  network: { kind: 'network', cause: null },
  credentials: { kind: 'server', code: 41001, msg: '' },
  code: { kind: 'server', code: 40003, msg: '' },
  unknown: { kind: 'server', code: 49999, msg: 'The server is being moved to another machine.' },
};

const noPendingWork: PendingWork = { changes: 0, records: [], pausedUploads: 0, uploadPause: null };

/** Creates the services in the requested state. */
export function createFixtureServices(requested: RequestedState): Services {
  const allRecords = requestedRecords(requested);
  const account: AccountState =
    requested.account === 'out' || requested.account === 'expired'
      ? { status: 'signed-out', reason: requested.account === 'out' ? 'new' : 'expired' }
      : {
          status: 'signed-in',
          user: { id: 'u1', email: 'miriam.haddad@example.org', nickname: 'Miriam', avatar: null },
        };
  const failCall = <T>(): Promise<Outcome<T, CallFailure>> => {
    const failure = callFailures[requested.failure ?? ''];
    return failure ? Promise.resolve({ ok: false, failure }) : neverSettles();
  };
  const failRecorderCall = <T>(): Promise<Outcome<T, RecorderFailure>> => {
    const failure = recorderFailures[requested.failure ?? ''];
    return failure ? Promise.resolve({ ok: false, failure }) : neverSettles();
  };
  const noop = async () => {};
  const recorder = createFixtureRecorder(requested, failRecorderCall);
  const omi = createFixtureOmi(requested.omi, failRecorderCall);
  return {
    account: {
      state: constantStore(account),
      membership: constantStore({
        isVip: requested.plan !== 'none',
        plan: requested.plan === 'none' ? null : 'trial',
        expiresAt: new Date(Date.now() + 12 * 86_400_000).toISOString(),
        remainingMinutes: 1230,
        subscription: null,
      }),
      sendCode: async () =>
        requested.failure === 'network' ? failCall() : { ok: true, data: { retryAfter: 60 } },
      register: failCall,
      resetPassword: failCall,
      signIn: failCall,
      lastEmail: () => '',
      signOut: noop,
      refresh: noop,
    },
    feedback: {
      begin: () => ({
        draft: { kind: 'problem', content: '', contact: '' },
        save: () => {},
        send: failCall,
      }),
      log: async () => 'Linnet\n',
    },
    server: constantStore(
      serverStates[(requested.server ?? 'reachable') as keyof typeof serverStates] ??
        serverStates.reachable,
    ),
    address: {
      current: 'https://linnet.example.org',
      own: 'https://linnet.example.org',
      find: async () =>
        requested.recorders === 'failed'
          ? { ok: false, failure: 'blocked' }
          : { ok: true, data: { address: 'https://wren.example.org', version: '1.0.77' } },
      use: neverSettles,
    },
    profile: {
      changePassword: failCall,
      rename: failCall,
      setPicture: failCall,
      close: failCall,
      sessions: async () => ({
        ok: true,
        data: ['Chrome · Linux', 'Linnet · Android', ''].map((device, index) => ({
          id: `session ${index}`,
          device,
          current: index === 0,
          created_at: '2026-03-02T09:30:00Z',
          last_seen_at: `2026-03-0${8 - index}T09:30:00Z`,
        })),
      }),
      endSession: failCall,
    },
    diskSpace: constantStore(requested.storage === 'none' ? 'none' : 'enough'),
    update: {
      state: constantStore(requested.version === 'new' ? 'ready' : 'none'),
      restart: noop,
    },
    recorder,
    omi,
    pocket: createFixturePocket(requested.pocket, failRecorderCall),
    recorders: createFixtureRecorders(recorder, omi, requested.microphone, failRecorderCall),
    liveText: createFixtureLiveText(requested.live, requested.other),
    denoiser: {
      state: constantStore(
        new Map(
          allRecords.flatMap(({ id }) => {
            const state = denoisings[requested.denoising ?? ''];
            return state ? [[id, state] as const] : [];
          }),
        ),
      ),
      start: noop,
      cancel: () => {},
      remove: noop,
      restore: noop,
    },
    merging: {
      progress: constantStore(null),
      latest: constantStore(null),
      check: async () => null,
      markReported: () => {},
      merge: neverSettles,
      cancel: () => {},
      undo: noop,
    },
    exports: createExports({
      records: { detail: async (id) => allRecords.find((record) => record.id === id) ?? null },
      uid: () => 'u1',
      client: { call: neverSettles },
      audio: { master: neverSettles, oggOpus: neverSettles, wave: neverSettles },
      audioProcessor: { denoised: neverSettles },
      recode: neverSettles,
      fileSharing: createWebFileSharing(),
      inUse: createInUse(),
      onError: () => {},
    }),
    drafts: createFixtureDrafts(requested.drafts),
    imports: {
      state: constantStore(requested.imports === 'some' ? pendingImports : []),
      question: constantStore(
        requested.imports === 'asks' ? { files: 12, minutes: 270, remainingMinutes: 1230 } : null,
      ),
      add: async () => true,
      answer: () => {},
      cancel: () => {},
    },
    folders: createFixtureFolders(requested.folders),
    search: { find: (keyword) => constantStore(searchResults(keyword, requested.searchResults)) },
    questions: createFixtureQuestions(
      requested.ask,
      allRecords,
      requested.failure ? failCall : null,
    ),
    settings: {
      all: constantStore({ status: 'ready', value: fixtureSettings(requested) }),
      caughtUp: constantStore(true),
      set: noop,
    },
    network: constantStore(
      requested.network === 'mobile' || requested.network === 'unknown'
        ? requested.network
        : 'fixed',
    ),
    system: 'linux',
    phoneSpace: {
      space: constantStore({ status: 'ready', value: phoneSpace(allRecords.map(({ id }) => id)) }),
      async free() {
        const response = await failCall<null>();
        return response.ok
          ? { ok: true, bytes: 0, retained: [] }
          : { ...response, code: 'server' as const };
      },
    },
    pendingWork: {
      state: constantStore({
        status: 'ready',
        value: requested.pendingWork
          ? pendingRecordings(allRecords.map(({ id }) => id))
          : noPendingWork,
      }),
      lastSync: () => Date.now() - 95_000,
    },
    analysisFiles: { saveMap: neverSettles, saveTodos: neverSettles },
    position: { current: neverSettles },
    membership: {
      plans: async () => ({ ok: true, data: plans }),
      balance: async () => (requested.failure ? failCall() : { ok: true, data: balance }),
      storage: async () => ({
        ok: true,
        data: { used_bytes: 1_840_000_000, quota_bytes: 100_000_000_000 },
      }),
      buy: failCall,
      order: failCall,
      orders: async () =>
        requested.failure ? failCall() : { ok: true, data: { list: orders, total: orders.length } },
      restore: failCall,
      cancelRenewal: failCall,
      consumption: async () =>
        requested.failure
          ? failCall()
          : { ok: true, data: { list: consumption, total: consumption.length } },
    },
    retention: createFixtureRetention(requested.rules, requested.failure ? failCall : null),
    calendarAddress: createFixtureCalendarAddress(
      requested.calendar,
      requested.failure ? failCall : null,
    ),
    shareLinks: createFixtureShareLinks(requested.links, requested.failure ? failCall : null),
    deviceVault: createFixtureDeviceVault(requested.deviceVault),
    vaults: createFixtureVaults(requested.vault, requested.failure ? failCall : null),
    notifications: createFixtureNotifications(
      requested.notifications,
      requested.failure ? failCall : null,
      requested.notifications?.startsWith('phone') ? 'phone' : 'browser',
    ),
    recorderSpaceNotices: createFixtureSpaceNotices(requested.notifications),
    notificationEmails: createFixtureNotificationEmails(
      requested.mails,
      requested.failure ? failCall : null,
    ),
    webhooks: createFixtureWebhooks(requested.webhooks, requested.failure ? failCall : null),
    apiKeys: createFixtureApiKeys(requested.keys, requested.failure ? failCall : null),
    voices: {
      list: async () =>
        requested.failure
          ? failCall()
          : {
              ok: true,
              data:
                requested.voices === 'none'
                  ? { list: [], unnamed: 0 }
                  : { list: [...voices], unnamed: 2 },
            },
      rename: failCall,
      forget: failCall,
      export: failCall,
    },
    retranscription: {
      countDrafts: async () => ({ ok: true, data: 3 }),
      price: failCall,
      replaceDrafts: failCall,
    },
    library: createFixtureLibrary(requested, allRecords, failCall),
  };
}
