/**
 * The bundled demo recording, which shows the app's results without an account, a recorder or a server. Made
 * by `e2e/make-demo.ts`. Edits last until the app is closed.
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
import type { ServerFacts } from '../../ports/server.ts';
import type { Services } from '../../ports/services.ts';
import type { SettingsService } from '../../ports/settings.ts';
import type { Live, Store } from '../../ports/store.ts';
import { createAnalysisFiles } from '../export/analysis-files.ts';
import type { FileSharing } from '../export/file-sharing.ts';
import { reportError } from '../log.ts';
import made from './demo.json';
import soundUrl from './demo.ogg?url';

const demoId = 'demo';

type Ready<T> = { readonly status: 'ready'; readonly value: T };

function firstRecord(): RecordDetail {
  const { title, ai_title, recorded_at: at, brief, summary, keywords, document } = made;
  const content: LocalParagraph[] = made.paragraphs.map(({ words, ...paragraph }) => ({
    ...paragraph,
    is_tag: 0,
    words: words.map(([text, start, end]) => ({
      ...{ text: String(text), start: Number(start), end: Number(end), confidence: 1 },
    })),
  }));
  const absent = { status: 'absent' } as const;
  const never = { recorder: null, phone: null, cloud: null };
  return {
    ...{ id: demoId, uid: '', title, ai_title, create_date: at, update_date: at },
    ...{ record_time: Math.floor(made.seconds), brief, summary, keywords, content },
    ...{ is_local: 0, is_trans: 2, process: 0, is_new: 1, is_del: 0, rec_source: 1 },
    ...{ server_id: null, device_file_id: null, sn: '', tags: [], place: null },
    ...{ localfile: soundUrl, local_noise_file: '', server_url: '' },
    ...{ mind_pic_url: '', mind_src_url: '', mind_map: null, xmind_json: made.mind_map },
    ...{ markers: made.markers, speakers: made.speakers, ticks: {} },
    summary_json: JSON.stringify(document satisfies unknown as SummaryDocument),
    copies: { recorder: absent, phone: absent, cloud: absent },
    receipt: { since: never, deletions: [] },
    phoneRetention: 'auto',
    ...{ audioBytes: 0, requestedLanguage: null, trouble: null },
    task: { id: demoId, language: document.language },
    peaks: Uint8Array.from(atob(made.peaks), (letter) => letter.charCodeAt(0)),
  };
}

/** The loudness of the recording in the form the player reads. */
function levelsOf(peaks: Uint8Array): Levels {
  const step = made.seconds / peaks.length;
  return {
    step,
    async read(from, to) {
      const at = (seconds: number) => Math.max(0, Math.floor(seconds / step));
      return Float32Array.from(peaks.subarray(at(from), at(to)), (peak) => peak / 255);
    },
  };
}

function ready<T>(store: Writable<T>): Live<T> {
  let seen: Ready<T> = { status: 'ready', value: store.get() };
  return {
    get() {
      if (seen.value !== store.get()) seen = { status: 'ready', value: store.get() };
      return seen;
    },
    subscribe: store.subscribe,
  };
}

function still<T>(value: T): Store<T> {
  return { get: () => value, subscribe: () => () => {} };
}

/** For services that need a server or a recorder. The demo's page does not use them. */
function notHere(): never {
  throw new Error('the demo has no server and no recorder');
}

function createLibrary(): LibraryService {
  const record = writable(firstRecord());
  const versions = new Map<string, TextVersion[]>();
  const now = () => new Date().toISOString();

  function remember(paragraph: LocalParagraph, content: string): void {
    const before = versions.get(paragraph.id) ?? [
      { content: paragraph.content, state: 'original', at: made.recorded_at },
    ];
    versions.set(paragraph.id, [...before, { content, state: 'applied', at: now() }]);
  }

  function apply(edit: Edit): void {
    const before = record.get();
    const operation = toOperation(edit, 0, now());
    if (isRecordingEdit(operation)) {
      record.set({ ...before, ...applyToRecord(before, operation) });
    } else if (isParagraphEdit(operation)) {
      const content = before.content.map((paragraph) => {
        if (paragraph.id !== operation.paragraph) return paragraph;
        if (operation.type === 'paragraph.edit') remember(paragraph, operation.content);
        const original = paragraph.original ?? paragraph.content;
        return { ...applyToParagraph(paragraph, operation), original };
      });
      record.set({ ...before, content });
    }
  }

  return {
    records: still({ status: 'ready', value: [] }),
    bin: still({ status: 'ready', value: [] }),
    record: () => ready(record),
    async edit(edit) {
      apply(edit);
    },
    async editAll(edits) {
      for (const edit of edits) apply(edit);
    },
    async rename(id, name) {
      apply({ type: 'recording.rename', recording: id, name });
    },
    versions: async (_id, paragraph) => ({ ok: true, data: versions.get(paragraph) ?? [] }),
    // Loaded as a whole: players request ranges, which an offline service worker cannot serve.
    async audio() {
      const answer = await fetch(soundUrl);
      if (!answer.ok) return null;
      const url = URL.createObjectURL(await answer.blob());
      const release = () => URL.revokeObjectURL(url);
      return { url, from: 'phone', levels: levelsOf(record.get().peaks), release };
    },
    markRead: async () => {},
    ...{ moveToBin: notHere, restore: notHere, deletePermanently: notHere, refresh: notHere },
    refused: still({ status: 'ready', value: [] }),
    dismissRefused: notHere,
    ...{ download: notHere, cancelDownload: notHere },
    ...{
      retry: notHere,
      transcribe: notHere,
      cancelRequest: notHere,
      summarize: notHere,
      cancelTranscription: notHere,
    },
  };
}

function createSettings(): SettingsService {
  const all = writable<readonly DatedSetting[]>([]);
  return {
    all: ready(all),
    caughtUp: still(true),
    async set(group_name, config_key, config_value) {
      const others = all
        .get()
        .filter((one) => one.group_name !== group_name || one.config_key !== config_key);
      all.set([...others, { group_name, config_key, config_value, since: null }]);
    },
  };
}

/** Everything is available, except for new transcriptions and summaries. */
const facts: ServerFacts = {
  billing: 'off',
  languages: [],
  analysis: {
    engine: made.document.engine,
    kind: 'extractive',
    structures: Object.keys(made.document.structures) as ServerFacts['analysis']['structures'],
    translates: false,
  },
  speakers: false,
  virtualRecorderUrls: [],
  supportUrl: null,
};

/**
 * Services for the demo recording.
 * @param signedOut provides account, server and feedback
 * @param fileSharing saves and shares files
 */
export function createDemo(
  signedOut: Pick<Services, 'account' | 'address' | 'feedback'>,
  fileSharing: FileSharing,
): Services {
  return {
    ...signedOut,
    server: still({ status: 'reachable', facts }),
    diskSpace: still('enough'),
    network: still('unknown'),
    library: createLibrary(),
    settings: createSettings(),
    understood: createAnalysisFiles(fileSharing, reportError),
    // The demo's page uses none of these.
    get recorder(): never {
      return notHere();
    },
    get denoiser(): never {
      return notHere();
    },
    get exports(): never {
      return notHere();
    },
    get imports(): never {
      return notHere();
    },
    get profile(): never {
      return notHere();
    },
    get phoneSpace(): never {
      return notHere();
    },
    get waiting(): never {
      return notHere();
    },
    get membership(): never {
      return notHere();
    },
    get position(): never {
      return notHere();
    },
    get system(): never {
      return notHere();
    },
    get update(): never {
      return notHere();
    },
    get search(): never {
      return notHere();
    },
  };
}
