/**
 * Static services for showing pages in their various states. Most calls that change data fail or stay pending, as the
 * query requests.
 */
import type { CallFailure } from '@linnet/contract/client';
import { vocabularySetting, voiceSetting } from '@linnet/contract/statuses';
import type { DatedSetting } from '@linnet/sync';
import { createExports } from '../features/export/exports.ts';
import { createInUse } from '../features/library/in-use.ts';
import { createWebFileSharing } from '../platform/web/file-sharing.ts';
import type { AccountState } from '../ports/account.ts';
import type { PendingWork } from '../ports/pending-work.ts';
import type { RecorderFailure, RecorderService } from '../ports/recorder.ts';
import type { Services } from '../ports/services.ts';
import type { Outcome, Store } from '../ports/store.ts';
import { createFixtureApiKeys } from './fixtures/api-keys.ts';
import { denoisings, pendingImports } from './fixtures/audio-work.ts';
import { foundRecorder, recorderFailures, severalRecorders, steps } from './fixtures/binding.ts';
import { createFixtureCalendarAddress } from './fixtures/calendar-address.ts';
import { createFixtureDeviceVault } from './fixtures/device-vault.ts';
import { createFixtureDrafts } from './fixtures/drafts.ts';
import { fixtureFilters } from './fixtures/filters.ts';
import { offers, updates } from './fixtures/firmware.ts';
import { createFixtureFolders } from './fixtures/folders.ts';
import { createFixtureLiveText } from './fixtures/live-text.ts';
import { balance, plans } from './fixtures/membership.ts';
import {
  createFixtureNotificationMails,
  createFixtureNotifications,
  createFixtureSpaceNotices,
} from './fixtures/notifications.ts';
import { createFixtureOmi } from './fixtures/omi.ts';
import { createFixturePocket } from './fixtures/pocket.ts';
import { createFixtureQuestions } from './fixtures/questions.ts';
import {
  knownRecorder,
  type LinkName,
  links,
  operations,
  transports,
} from './fixtures/recorder.ts';
import { createRecords, longRecording, versions } from './fixtures/recordings.ts';
import { createFixtureRetention, fixtureMove } from './fixtures/retention.ts';
import { searchResults } from './fixtures/search.ts';
import { serverStates } from './fixtures/server.ts';
import { createFixtureShareLinks } from './fixtures/share-links.ts';
import { speechPeaks } from './fixtures/speech.ts';
import { pendingRecordings, phoneSpace } from './fixtures/storage.ts';
import { createFixtureRecorders } from './fixtures/this-device.ts';
import { createTone } from './fixtures/tone.ts';
import { transfers } from './fixtures/transfers.ts';
import { createFixtureVaults } from './fixtures/vaults.ts';
import { voices } from './fixtures/voices.ts';
import { createFixtureWebhooks } from './fixtures/webhooks.ts';

function constantStore<T>(value: T): Store<T> {
  return { get: () => value, subscribe: () => () => {} };
}

/** Returns a promise that never settles, for showing a loading state. */
function neverSettles<T>(): Promise<T> {
  return new Promise(() => {});
}

const callFailures: Readonly<Record<string, CallFailure>> = {
  network: { kind: 'network', cause: null },
  credentials: { kind: 'server', code: 41001, msg: '' },
  code: { kind: 'server', code: 40003, msg: '' },
  unknown: { kind: 'server', code: 49999, msg: 'The server is being moved to another machine.' },
};

/** The state requested by a workbench address's query. */
export type RequestedState = {
  readonly link?: string | undefined;
  readonly omi?: string | undefined;
  readonly pocket?: string | undefined;
  readonly records?: string | undefined;
  readonly server?: string | undefined;
  readonly room?: string | undefined;
  readonly ways?: string | undefined;
  readonly version?: string | undefined;
  readonly find?: string | undefined;
  readonly step?: string | undefined;
  readonly failure?: string | undefined;
  readonly account?: string | undefined;
  readonly plan?: string | undefined;
  /** Texts typed but not saved. */
  readonly drafts?: string | undefined;
  /** This device's microphone state. */
  readonly microphone?: string | undefined;
  /** The live text of the recording in progress. */
  readonly live?: string | undefined;
  /** The recording in progress on another device. */
  readonly other?: string | undefined;
  readonly cleaner?: string | undefined;
  readonly imports?: string | undefined;
  readonly folders?: string | undefined;
  /** `loading`, `empty`, or a number of recordings. */
  readonly bin?: string | undefined;
  /** The stored view of the Files page, as text. */
  readonly view?: string | undefined;
  /** `some` for saved filters. */
  readonly filters?: string | undefined;
  readonly guide?: string | undefined;
  readonly found?: string | undefined;
  /** The state of the recorder's firmware. */
  readonly offer?: string | undefined;
  readonly update?: string | undefined;
  /** A transfer from the recorder. */
  readonly transfer?: string | undefined;
  /** The kind of network this phone is using. */
  readonly network?: string | undefined;
  /** Any value if recordings should have pending work. */
  readonly waiting?: string | undefined;
  /** The contents of a conversation. */
  readonly ask?: string | undefined;
  /** `none` for an empty vocabulary. */
  readonly words?: string | undefined;
  /** `none` for no retention rules, `paused` for paused ones. */
  readonly rules?: string | undefined;
  /** `none` for no calendar address. */
  readonly calendar?: string | undefined;
  /** `none` for no links to recordings. */
  readonly links?: string | undefined;
  /** `none`, `folder`, `failing` or `stopped`. */
  readonly vault?: string | undefined;
  /** `some`, `permission` or `failed` for a folder on this device, `unsupported` for a browser without one. */
  readonly deviceVault?: string | undefined;
  /** `off`, `blocked` or `unsupported` notifications. */
  readonly notifications?: string | undefined;
  /** `unavailable` for a server that can't send mail. */
  readonly mails?: string | undefined;
  /** `none` for no webhooks. */
  readonly webhooks?: string | undefined;
  /** `none` for no API keys. */
  readonly keys?: string | undefined;
  /** `none` for no remembered voices, and `off` if they aren't remembered. */
  readonly voices?: string | undefined;
};

const denoisedFields = ({ cleaner }: RequestedState) =>
  cleaner === 'made' ? { local_noise_file: 'a.cleaner.ogg' } : {};

const noPendingWork: PendingWork = { changes: 0, records: [], pausedUploads: 0, uploadPause: null };

/** Creates the services in the requested state. */
export function createFixtureServices(requested: RequestedState): Services {
  const allRecords =
    requested.records === 'empty'
      ? []
      : [...(requested.records === 'long' ? [longRecording()] : []), ...createRecords()].map(
          (record) => ({
            ...record,
            ...denoisedFields(requested),
            server_id: record.copies.cloud.status === 'absent' ? null : record.id,
          }),
        );
  const listedRecords = allRecords
    .map((record) => ({ ...record, opening: record.brief || record.summary, binnedAt: null }))
    .sort((a, b) => (a.create_date < b.create_date ? 1 : -1));
  const binnedRecords = listedRecords.slice(0, 6).map((record, index) => ({
    ...record,
    binned_by: requested.bin === 'moved' && index < 4 ? fixtureMove : null,
  }));
  const storedSettings: DatedSetting[] = [
    { group_name: 'files', config_key: 'view', config_value: requested.view ?? '', since: null },
    ...(requested.filters ? fixtureFilters : []),
    ...(requested.guide
      ? []
      : [{ group_name: 'guide', config_key: 'files', config_value: 'seen', since: null }]),
    ...(requested.voices === 'off'
      ? []
      : [
          {
            ...{ group_name: voiceSetting.group, config_key: voiceSetting.key, since: null },
            config_value: '1',
          },
        ]),
    ...(requested.words === 'none' ? [] : ['Marchetti', 'Reykjavik', 'photosynthesis']).map(
      (entry) => ({
        ...{ group_name: vocabularySetting.group, config_key: entry, since: null },
        config_value: vocabularySetting.values.listed,
      }),
    ),
  ];
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
  const noOperation = async () => {};
  const recorder: RecorderService = {
    link: constantStore(links[(requested.link ?? 'idle') as LinkName] ?? links.idle),
    sound: constantStore({
      recordId: 'recording',
      levelCount: 300,
      levels: [...speechPeaks(5, 300)].map((level) => level / 400),
    }),
    transports: constantStore(
      transports[(requested.ways ?? 'both') as keyof typeof transports] ?? transports.both,
    ),
    applyRemedy: async () => ({ ok: true, data: null }),
    find: async () => {
      if (requested.find === 'searching') return neverSettles();
      if (requested.find === 'failed') return failRecorderCall();
      if (requested.find === 'several') return { ok: true, data: severalRecorders };
      return { ok: true, data: requested.find === 'nothing' ? [] : [foundRecorder] };
    },
    findAt: async () => {
      if (requested.find === 'failed') return failRecorderCall();
      return { ok: true, data: [foundRecorder] };
    },
    bind: async (_found, onStep) => {
      for (const step of steps) {
        onStep(step);
        if (step === requested.step) return failRecorderCall();
      }
      return { ok: true, data: 'linnet' };
    },
    known: () => [
      { ...knownRecorder, kind: 'web-bluetooth' },
      { sn: 'LN24A70000A2', name: 'Linnet 00A2', kind: 'web-bluetooth' },
    ],
    boundNames: async () => ({ ok: true, data: ['Linnet 1234'] }),
    reconnect: failRecorderCall,
    unbind: failRecorderCall,
    forget: failRecorderCall,
    startRecording: failRecorderCall,
    stopRecording: failRecorderCall,
    pauseRecording: failRecorderCall,
    history: constantStore({
      since: Date.now() - 1_260_000,
      lastLoss: { at: Date.now() - 7_200_000, reason: 'link_lost' },
      signal: -58,
    }),
    disconnect: noOperation,
    leaveHotspot: noOperation,
    transfer: {
      state: constantStore(
        transfers[(requested.transfer ?? 'idle') as keyof typeof transfers] ?? transfers.idle,
      ),
      start: failRecorderCall,
      cancel: noOperation,
    },
    resumeRecording: failRecorderCall,
    listSessions: async () =>
      requested.failure ? failRecorderCall() : { ok: true as const, data: null },
    changeSettings: async () =>
      requested.failure ? failRecorderCall() : { ok: true as const, data: null },
    readUsage: async () => ({ ok: true as const, data: null }),
    readOperations: async () =>
      requested.failure ? failRecorderCall() : { ok: true as const, data: operations },
    firmware: {
      offered: constantStore(
        offers[(requested.offer ?? 'found') as keyof typeof offers] ?? offers.found,
      ),
      update: constantStore(
        updates[(requested.update ?? 'idle') as keyof typeof updates] ?? updates.idle,
      ),
      check: noOperation,
      start: noOperation,
      cancel: () => {},
      dismiss: () => {},
    },
    fetchSessions: () => {},
    deleteSession: failRecorderCall,
  };
  const omi = createFixtureOmi(requested.omi, failRecorderCall);
  return {
    account: {
      state: constantStore(account),
      membership: constantStore({
        isVip: requested.plan !== 'none',
        plan: requested.plan === 'none' ? null : 'trial',
        expiresAt: new Date(Date.now() + 12 * 86_400_000).toISOString(),
        leftMinutes: 1230,
        subscription: null,
      }),
      sendCode: async () =>
        requested.failure === 'network' ? failCall() : { ok: true, data: { retryAfter: 60 } },
      register: failCall,
      resetPassword: failCall,
      signIn: failCall,
      lastEmail: () => '',
      signOut: noOperation,
      refresh: noOperation,
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
      serverStates[requested.server === 'unreachable' ? 'unreachable' : 'reachable'],
    ),
    address: {
      current: 'https://linnet.example.org',
      own: 'https://linnet.example.org',
      find: async () =>
        requested.find === 'failed'
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
    diskSpace: constantStore(requested.room === 'none' ? 'none' : 'enough'),
    update: {
      state: constantStore(requested.version === 'new' ? 'ready' : 'none'),
      restart: noOperation,
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
            const state = denoisings[requested.cleaner ?? ''];
            return state ? [[id, state] as const] : [];
          }),
        ),
      ),
      start: noOperation,
      cancel: () => {},
      remove: noOperation,
      restore: noOperation,
    },
    merging: {
      progress: constantStore(null),
      latest: constantStore(null),
      check: async () => null,
      markReported: () => {},
      merge: neverSettles,
      cancel: () => {},
      undo: noOperation,
    },
    exports: createExports({
      records: { detail: async (id) => allRecords.find((record) => record.id === id) ?? null },
      uid: () => 'u1',
      client: { call: neverSettles },
      audio: { master: neverSettles, oggOpus: neverSettles, wave: neverSettles },
      workshop: { denoised: neverSettles },
      recode: neverSettles,
      fileSharing: createWebFileSharing(),
      inUse: createInUse(),
      onError: () => {},
    }),
    drafts: createFixtureDrafts(requested.drafts),
    imports: {
      state: constantStore(requested.imports === 'some' ? pendingImports : []),
      question: constantStore(
        requested.imports === 'asks' ? { files: 12, minutes: 270, leftMinutes: 1230 } : null,
      ),
      add: async () => true,
      answer: () => {},
      cancel: () => {},
    },
    folders: createFixtureFolders(requested.folders),
    search: { find: (keyword) => constantStore(searchResults(keyword, requested.found)) },
    questions: createFixtureQuestions(
      requested.ask,
      allRecords,
      requested.failure ? failCall : null,
    ),
    settings: {
      all: constantStore({ status: 'ready', value: storedSettings }),
      caughtUp: constantStore(true),
      set: noOperation,
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
        const answer = await failCall<null>();
        return answer.ok
          ? { ok: true, bytes: 0, retained: [] }
          : { ...answer, code: 'server' as const };
      },
    },
    pendingWork: {
      state: constantStore({
        status: 'ready',
        value: requested.waiting
          ? pendingRecordings(allRecords.map(({ id }) => id))
          : noPendingWork,
      }),
      lastSync: () => Date.now() - 95_000,
    },
    analysisFiles: { saveMap: neverSettles, saveTodos: neverSettles },
    position: { current: neverSettles },
    membership: {
      plans: async () => ({ ok: true, data: plans }),
      balance: async () => ({ ok: true, data: balance }),
      storage: async () => ({
        ok: true,
        data: { used_bytes: 1_840_000_000, quota_bytes: 100_000_000_000 },
      }),
      buy: failCall,
      order: failCall,
      orders: failCall,
      restore: failCall,
      cancelRenewal: failCall,
      consumption: failCall,
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
    ),
    recorderSpaceNotices: createFixtureSpaceNotices(requested.notifications),
    notificationMails: createFixtureNotificationMails(
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
    library: {
      records: constantStore(
        requested.records === 'loading'
          ? { status: 'loading' }
          : { status: 'ready', value: listedRecords },
      ),
      record: (id) => {
        const value = allRecords.find((record) => record.id === id) ?? null;
        return constantStore(
          requested.records === 'loading' ? { status: 'loading' } : { status: 'ready', value },
        );
      },
      bin: constantStore(
        requested.bin === 'loading'
          ? { status: 'loading' }
          : { status: 'ready', value: requested.bin === 'empty' ? [] : binnedRecords },
      ),
      markRead: noOperation,
      editAll: noOperation,
      deletePermanently: noOperation,
      refresh: failCall,
      edit: async () => true,
      speakerNames: async () => ['Anna Kovács', 'Ben', 'Dr Orr'],
      rename: noOperation,
      setLanguage: noOperation,
      archive: noOperation,
      protect: noOperation,
      moveToBin: noOperation,
      restore: noOperation,
      retry: noOperation,
      transcribe: noOperation,
      cancelRequest: noOperation,
      refused: constantStore({ status: 'ready', value: [] }),
      dismissRefused: noOperation,
      download: noOperation,
      cancelDownload: noOperation,
      summarize: failCall,
      transcribeRange: failCall,
      cancelTranscription: failCall,
      versions: async () => ({ ok: true, data: versions }),
      audio: async (id) => {
        const record = allRecords.find((one) => one.id === id);
        if (!record?.localfile) return null;
        const url = URL.createObjectURL(createTone(record.record_time));
        return { url, from: 'phone', levels: null, release: () => URL.revokeObjectURL(url) };
      },
    },
  };
}
