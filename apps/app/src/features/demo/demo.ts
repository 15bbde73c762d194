/**
 * The demo: services for a bundled recording, which let users try the app without an account, recorder or server.
 * `e2e/make-demo.ts` creates the recording. Edits are kept in memory until the app is closed.
 */
import { type Writable, writable } from '@linnet/base';
import type { SummaryDocument } from '@linnet/contract';
import { type Edit, isParagraphEdit, isRecordingEdit } from '@linnet/contract/operations';
import {
  applyToParagraph,
  applyToRecord,
  type DatedSetting,
  type LocalParagraph,
  type RecordDetail,
  toOperation,
} from '@linnet/sync';
import type { Levels, LibraryService, TextVersion } from '../../ports/library.ts';
import type { ServerInfo } from '../../ports/server.ts';
import type { Services } from '../../ports/services.ts';
import type { SettingsService } from '../../ports/settings.ts';
import type { Live, Store } from '../../ports/store.ts';
import { createDrafts } from '../drafts.ts';
import { createAnalysisFiles } from '../export/analysis-files.ts';
import type { FileSharing } from '../export/file-sharing.ts';
import { reportError } from '../log.ts';
import demo from './demo.json';
import audioUrl from './demo.ogg?url';
import { type DemoTexts, translateDemo } from './demo-texts.ts';

const demoId = 'demo';

type Ready<T> = { readonly status: 'ready'; readonly value: T };

function createRecord(texts: DemoTexts, language: string): RecordDetail {
  const translated = translateDemo(texts, language);
  const {
    title,
    ai_title,
    recorded_at: recordedAt,
    brief,
    summary,
    keywords,
    document,
  } = translated;
  const content: LocalParagraph[] = translated.paragraphs.map(({ words, ...paragraph }) => ({
    ...paragraph,
    is_tag: 0,
    words: words.map(([text, start, end]) => ({
      text: String(text),
      start: Number(start),
      end: Number(end),
      confidence: 1,
    })),
  }));
  const absentCopy = { status: 'absent' } as const;
  const unknownSince = { recorder: null, phone: null, cloud: null };
  return {
    id: demoId,
    uid: '',
    title,
    ai_title,
    create_date: recordedAt,
    update_date: recordedAt,
    record_time: Math.floor(demo.seconds),
    brief,
    summary,
    keywords,
    language: null,
    content,
    is_local: 0,
    is_trans: 2,
    process: 0,
    is_new: 1,
    is_del: 0,
    is_protected: 0,
    is_archived: 0,
    binned_by: null,
    rec_source: 1,
    scene: 'audio',
    server_id: null,
    device_file_id: null,
    sn: '',
    tags: [],
    place: null,
    localfile: audioUrl,
    local_noise_file: '',
    server_url: '',
    mind_pic_url: '',
    mind_src_url: '',
    mind_map: null,
    xmind_json: translated.mind_map,
    markers: translated.markers,
    speakers: demo.speakers,
    proposals: {},
    ticks: {},
    notes: [],
    words: [],
    unplaced: [],
    summary_json: JSON.stringify(document satisfies unknown as SummaryDocument),
    copies: { recorder: absentCopy, phone: absentCopy, cloud: absentCopy },
    receipt: { since: unknownSince, deletions: [] },
    continues: null,
    autoTranscribe: true,
    transcript: 'received',
    mergedFrom: null,
    phoneRetention: 'auto',
    audioBytes: 0,
    requestedLanguage: null,
    problem: null,
    task: { id: demoId, language: document.language },
    peaks: Uint8Array.from(atob(demo.peaks), (character) => character.charCodeAt(0)),
  };
}

/** Creates the reader that supplies the recording's loudness to the player. */
function createLevels(peaks: Uint8Array): Levels {
  const step = demo.seconds / peaks.length;
  return {
    step,
    async read(from, to) {
      const toIndex = (seconds: number) => Math.max(0, Math.floor(seconds / step));
      return Float32Array.from(peaks.subarray(toIndex(from), toIndex(to)), (peak) => peak / 255);
    },
  };
}

function toLive<T>(store: Writable<T>): Live<T> {
  let state: Ready<T> = { status: 'ready', value: store.get() };
  return {
    get() {
      if (state.value !== store.get()) state = { status: 'ready', value: store.get() };
      return state;
    },
    subscribe: store.subscribe,
  };
}

function constant<T>(value: T): Store<T> {
  return { get: () => value, subscribe: () => () => {} };
}

/** Stands in for functions that need a server or a recorder. The demo page never calls them. */
function unavailable(): never {
  throw new Error('the demo has no server and no recorder');
}

function createLibrary(initial: RecordDetail): LibraryService {
  const record = writable(initial);
  const versions = new Map<string, TextVersion[]>();
  const now = () => new Date().toISOString();

  function addVersion(paragraph: LocalParagraph, content: string): void {
    const earlierVersions = versions.get(paragraph.id) ?? [
      { content: paragraph.content, state: 'original', at: demo.recorded_at },
    ];
    versions.set(paragraph.id, [...earlierVersions, { content, state: 'applied', at: now() }]);
  }

  function apply(edit: Edit): void {
    const previousDetail = record.get();
    const operation = toOperation(edit, 0, now());
    if (isRecordingEdit(operation)) {
      record.set({ ...previousDetail, ...applyToRecord(previousDetail, operation) });
    } else if (isParagraphEdit(operation)) {
      const content = previousDetail.content.map((paragraph) => {
        if (paragraph.id !== operation.paragraph) return paragraph;
        if (operation.type === 'paragraph.edit') addVersion(paragraph, operation.content);
        const original = paragraph.original ?? paragraph.content;
        return { ...applyToParagraph(paragraph, operation), original };
      });
      record.set({ ...previousDetail, content });
    }
  }

  return {
    records: constant({ status: 'ready', value: [] }),
    bin: constant({ status: 'ready', value: [] }),
    speakerNames: async () => [],
    record: () => toLive(record),
    async edit(edit) {
      apply(edit);
      return true;
    },
    async editAll(edits) {
      for (const edit of edits) apply(edit);
    },
    async rename(id, name) {
      apply({ type: 'recording.rename', recording: id, name });
    },
    async setLanguage(id, language) {
      apply({ type: 'recording.language', recording: id, language });
    },
    versions: async (_id, paragraph) => ({ ok: true, data: versions.get(paragraph) ?? [] }),
    // Load the complete file: a player would request ranges, which the service worker can't serve offline.
    async audio() {
      const response = await fetch(audioUrl);
      if (!response.ok) return null;
      const url = URL.createObjectURL(await response.blob());
      const release = () => URL.revokeObjectURL(url);
      return { url, from: 'phone', levels: createLevels(record.get().peaks), release };
    },
    markRead: async () => {},
    archive: unavailable,
    protect: unavailable,
    moveToBin: unavailable,
    restore: unavailable,
    deletePermanently: unavailable,
    refresh: unavailable,
    rejectedEdits: constant({ status: 'ready', value: [] }),
    dismissRejectedEdits: unavailable,
    download: unavailable,
    cancelDownload: unavailable,
    retry: unavailable,
    transcribe: unavailable,
    cancelRequest: unavailable,
    summarize: unavailable,
    transcribeRange: unavailable,
    cancelTranscription: unavailable,
  };
}

function createSettings(): SettingsService {
  const all = writable<readonly DatedSetting[]>([]);
  return {
    all: toLive(all),
    caughtUp: constant(true),
    async set(group_name, config_key, config_value) {
      const others = all
        .get()
        .filter((each) => each.group_name !== group_name || each.config_key !== config_key);
      all.set([...others, { group_name, config_key, config_value, since: null }]);
    },
  };
}

/** Information about the demo's server, which offers everything except new transcriptions and summaries. */
const serverInfo: ServerInfo = {
  billing: 'off',
  languages: [],
  analysis: {
    engine: demo.document.engine,
    kind: 'extractive',
    structures: Object.keys(demo.document.structures) as ServerInfo['analysis']['structures'],
    translates: false,
  },
  speakers: false,
  virtualRecorderUrls: [],
  supportUrl: null,
};

/**
 * Creates the demo's services.
 * @param signedOut the services that the demo uses unchanged
 * @param texts the strings in the interface language, from `loadDemoTexts`
 */
export function createDemo(
  signedOut: Pick<Services, 'account' | 'address' | 'feedback'>,
  fileSharing: FileSharing,
  texts: DemoTexts,
  language: string,
): Services {
  return {
    ...signedOut,
    server: constant({ status: 'reachable', info: serverInfo }),
    diskSpace: constant('enough'),
    network: constant('unknown'),
    library: createLibrary(createRecord(texts, language)),
    settings: createSettings(),
    analysisFiles: createAnalysisFiles(fileSharing, reportError),
    // Like edits, unsaved text isn't stored in the demo.
    drafts: createDrafts(() => null, reportError),
    // The demo page uses none of the following services.
    get recorder(): never {
      return unavailable();
    },
    get omi(): never {
      return unavailable();
    },
    get pocket(): never {
      return unavailable();
    },
    get recorders(): never {
      return unavailable();
    },
    get liveText(): never {
      return unavailable();
    },
    get denoiser(): never {
      return unavailable();
    },
    get merging(): never {
      return unavailable();
    },
    get exports(): never {
      return unavailable();
    },
    get imports(): never {
      return unavailable();
    },
    get folders(): never {
      return unavailable();
    },
    get profile(): never {
      return unavailable();
    },
    get phoneSpace(): never {
      return unavailable();
    },
    get pendingWork(): never {
      return unavailable();
    },
    get membership(): never {
      return unavailable();
    },
    get retranscription(): never {
      return unavailable();
    },
    get retention(): never {
      return unavailable();
    },
    get calendarAddress(): never {
      return unavailable();
    },
    get deviceVault(): never {
      return unavailable();
    },
    get vaults(): never {
      return unavailable();
    },
    // The shell listens to taps on notifications, which the demo doesn't send.
    notifications: {
      place: 'browser',
      get: unavailable,
      turnOn: unavailable,
      change: unavailable,
      turnOff: unavailable,
      test: unavailable,
      onTap: () => () => {},
    },
    get notificationEmails(): never {
      return unavailable();
    },
    // The shell shows the notification when it is due.
    recorderSpaceNotices: {
      state: unavailable,
      turnOn: unavailable,
      turnOff: unavailable,
      due: writable(null),
      show: unavailable,
    },
    get webhooks(): never {
      return unavailable();
    },
    get apiKeys(): never {
      return unavailable();
    },
    get shareLinks(): never {
      return unavailable();
    },
    get voices(): never {
      return unavailable();
    },
    get position(): never {
      return unavailable();
    },
    get system(): never {
      return unavailable();
    },
    get update(): never {
      return unavailable();
    },
    get search(): never {
      return unavailable();
    },
    get questions(): never {
      return unavailable();
    },
  };
}
