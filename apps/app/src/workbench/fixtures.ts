/** Realistic content for the workbench; used only there. */
import type { Paragraph } from '@linnet/contract';
import type { RecorderOperation } from '@linnet/device/session';
import { type CopyState, sha256From } from '@linnet/sync';
import type { OpenRecord } from '../pages/file-detail/open-record.ts';
import type { FirmwareUpdate, OfferedFirmware, PublishedFirmware } from '../ports/firmware.ts';
import type { TextVersion } from '../ports/library.ts';
import type { PhoneSpace } from '../ports/phone-space.ts';
import type {
  ConnectedRecorder,
  LinkState,
  RecorderSessionRow,
  RecorderTransport,
} from '../ports/recorder.ts';
import type { ServerState } from '../ports/server.ts';
import type { TransferFile, TransferState } from '../ports/transfer.ts';
import type { WaitingState } from '../ports/waiting.ts';
import { choirLists, choirMap, gardenMap, longMap, vastMap } from './understood.ts';

const absent: CopyState = { status: 'absent' };
const verified = (bytes: number): CopyState => ({
  status: 'verified',
  bytes,
  sha256: sha256From('ab'.repeat(32)),
});

/** Loudness that resembles speech: phrases, pauses, and different for each seed. */
export function talk(seed: number, length = 400): Uint8Array {
  let state = seed * 7919 + 17;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const peaks = new Uint8Array(length);
  let phrase = 0;
  let loud = 0;
  for (let index = 0; index < length; index += 1) {
    if (phrase <= 0) {
      phrase = 4 + next() * 26;
      loud = next() < 0.22 ? 8 : 70 + next() * 170;
    }
    phrase -= 1;
    peaks[index] = Math.min(255, Math.max(4, loud * (0.35 + next() * 0.65)));
  }
  return peaks;
}

/** A time some hours and minutes ago, so that today stays today. */
function ago(hours: number, minutes = 0): string {
  return new Date(Date.now() - (hours * 60 + minutes) * 60_000).toISOString();
}

const sentences = [
  'Thanks for coming in early, everybody. I would like to start with the rehearsal schedule and then look at the budget for the spring concert.',
  'The hall is free on the second and on the ninth of March. The ninth gives the choir one more week, and the caretaker says that the heating will be repaired by then.',
  'I would rather take the second. Two of the tenors are away on the ninth, and we cannot do the motet without them.',
  'Let us ask the soloists first. Miriam, could you call them today and tell us by Thursday what they say?',
  'The printed programmes cost four hundred and twenty last year. If we order before the end of the month we save about sixty.',
  'Then we order now. Who writes the notes on the second half, and how long may they be?',
];

/** Paragraphs with words, times and some uncertain words. */
function paragraphs(): Paragraph[] {
  let time = 1.2;
  return [...sentences, ...sentences, ...sentences, ...sentences].map((content, index) => {
    const start = time;
    const words = content.split(' ').map((text, word) => {
      const begin = time;
      time += 0.18 + text.length * 0.035;
      const unsure = (index * 31 + word * 7) % 17 === 3;
      return {
        text: text.replace(/[.,?]/g, ''),
        start: begin,
        end: time,
        confidence: unsure ? 0.32 : 0.91,
      };
    });
    const paragraph: Paragraph = {
      id: `p${index}`,
      start_time: Math.round(start * 1000) / 1000,
      end_time: Math.round(time * 1000) / 1000,
      content,
      is_tag: 0,
      words,
    };
    time += 0.9;
    return paragraph;
  });
}

const base: OpenRecord = {
  id: 'r0',
  title: '',
  ai_title: '',
  uid: 'u1',
  create_date: ago(1, 12),
  update_date: ago(1),
  record_time: 754,
  is_local: 0,
  server_id: null,
  device_file_id: 11,
  summary: '',
  summary_json: null,
  is_trans: 0,
  process: 0,
  rec_source: 1,
  tags: [],
  content: [],
  brief: '',
  keywords: [],
  localfile: '',
  local_noise_file: '',
  server_url: '',
  mind_pic_url: '',
  mind_src_url: '',
  markers: [],
  place: null,
  speakers: {},
  ticks: {},
  mind_map: null,
  xmind_json: null,
  sn: 'LN24A7001234',
  is_new: 1,
  is_del: 0,
  copies: { recorder: verified(6_032_000), phone: absent, cloud: absent },
  audioBytes: 6_032_000,
  phoneRetention: 'auto',
  task: null,
  requestedLanguage: null,
  trouble: null,
  peaks: new Uint8Array(),
  receipt: { since: { recorder: ago(1, 12), phone: ago(1, 11), cloud: null }, deletions: [] },
};

const onPhone = {
  recorder: verified(6_032_000),
  phone: verified(6_032_000),
  cloud: absent,
} as const;
const everywhere = { ...onPhone, cloud: verified(6_032_000) } as const;

const inCloudOnly = { ...onPhone, phone: absent, cloud: verified(6_032_000) } as const;

const points = [
  'The hall is free on the second and on the ninth of March.',
  'Two of the tenors are away on the ninth, and we cannot do the motet without them.',
  'If we order before the end of the month we save about sixty.',
];

function itemsOf(prefix: string, texts: readonly string[]) {
  const spoken = paragraphs();
  return texts.map((text, index) => ({
    id: `${prefix}-${index}`,
    text,
    paragraph_id: `p${index + 1}`,
    start_time: spoken[index + 1]?.start_time ?? 0,
  }));
}

function summaryJson(): string {
  return JSON.stringify({
    ...choirLists(paragraphs()),
    version: 1,
    kind: 'extractive',
    language: 'en',
    structure: 'general',
    structures: {
      general: { sections: [{ heading: 'overview', items: itemsOf('general', points) }] },
      meeting: {
        sections: [
          { heading: 'overview', items: itemsOf('meeting', points.slice(0, 2)) },
          { heading: 'todos', items: itemsOf('meeting-todos', points.slice(2)) },
        ],
      },
    },
  });
}

/** A pending re-transcription, and a pending first transcription. */
const requested = (): OpenRecord[] => {
  const transcribed: OpenRecord = {
    ...base,
    ...{ is_local: 2, is_trans: 2, content: paragraphs(), task: { id: 't1', language: 'en' } },
    ...{ record_time: 300, peaks: talk(4), copies: everywhere, localfile: 'a.wav' },
  };
  const failure = { kind: 'server', code: 44001, msg: '' } as const;
  const trouble = { step: 'transcribe', code: 'refused', failure } as const;
  const states: OpenRecord[] = [
    { ...transcribed, id: 'again-asked', requestedLanguage: 'fr' },
    { ...transcribed, id: 'again-refused', requestedLanguage: 'fr', trouble },
    { ...transcribed, id: 'asked', is_trans: 0, content: [], task: null, requestedLanguage: 'fr' },
  ];
  return states.map((record) => ({
    ...record,
    create_date: ago(24 * 30),
    title: 'Walk by the river',
  }));
};

/** Mind maps of every size, and lists that are empty for each possible reason. */
const understood = (): OpenRecord[] => {
  const transcribed: OpenRecord = {
    ...base,
    ...{ is_local: 2, is_trans: 2, content: paragraphs(), task: { id: 't1', language: 'en' } },
    ...{ record_time: 300, peaks: talk(4), copies: everywhere, localfile: 'a.wav' },
    ...{ create_date: ago(24 * 31) },
  };
  const nothing = { version: 1, kind: 'extractive', language: 'th', structures: {} };
  const listed = JSON.stringify({ ...nothing, looked_for: ['questions'] });
  return [
    { ...transcribed, id: 'long-map', title: 'Autumn conference', xmind_json: longMap },
    { ...transcribed, id: 'vast-map', title: 'Five hundred', mind_map: vastMap },
    { ...transcribed, id: 'nothing-listed', title: 'ประชุม', summary_json: listed },
  ];
};

/** A recording in every state, and with every awkward length. */
export function records(): OpenRecord[] {
  return [
    ...understood(),
    talkOfTwo(),
    {
      ...talkOfTwo(),
      id: 'streamed',
      title: 'From my other phone',
      localfile: '',
      copies: inCloudOnly,
    },
    ...requested(),
    { ...base, id: 'recording', create_date: ago(0, 2), movement: { step: 'record' } },
    { ...base, id: 'on-recorder', create_date: ago(0, 4), record_time: 96 },
    {
      ...base,
      id: 'fetching',
      create_date: ago(0, 31),
      record_time: 1843,
      peaks: talk(2),
      copies: { ...onPhone, phone: { status: 'partial', bytes: 3_760_000 } },
      movement: { step: 'fetch', fraction: 0.62 },
    },
    {
      ...base,
      id: 'transcribing',
      title: 'Choir committee',
      is_new: 0,
      is_local: 2,
      is_trans: 1,
      process: 38,
      movement: {
        step: 'transcribe',
        fraction: 0.38,
        at: { name: 'recognise', done: 0.41 },
      },
      peaks: talk(3),
      copies: everywhere,
      localfile: 'a.wav',
    },
    {
      ...base,
      id: 'done',
      title: 'Rehearsals and the spring concert',
      tags: ['choir', 'spring concert'],
      create_date: ago(3),
      is_new: 0,
      is_local: 2,
      is_trans: 2,
      content: paragraphs(),
      record_time: Math.ceil(paragraphs().at(-1)?.end_time ?? 0) + 2,
      brief: 'The hall is free on two evenings in March; the soloists decide which one it will be.',
      summary: points.join('\n'),
      summary_json: summaryJson(),
      keywords: ['spring concert', 'hall', 'soloists', 'printed programmes', 'motet'],
      xmind_json: choirMap,
      ticks: { 'todos-2': true },
      task: { id: 't1', language: 'en' },
      peaks: talk(4),
      copies: everywhere,
      localfile: 'a.wav',
    },
    {
      ...base,
      id: 'uploading',
      title: 'Interview with the beekeeper of Saint-Rémy about winter losses',
      create_date: ago(27),
      record_time: 4382,
      peaks: talk(5),
      copies: onPhone,
      localfile: 'a.wav',
      movement: { step: 'upload', fraction: 0.81 },
    },
    {
      ...base,
      id: 'trouble',
      title: 'Call with the landlord',
      rec_source: 2,
      create_date: ago(29),
      record_time: 611,
      is_local: 2,
      peaks: talk(6),
      copies: everywhere,
      localfile: 'a.wav',
      trouble: {
        step: 'transcribe',
        code: 'refused',
        failure: { kind: 'server', code: 44001, msg: '' },
      },
    },
    {
      ...base,
      id: 'local',
      tags: ['home'],
      ai_title: 'Shopping for the harvest supper',
      create_date: ago(75),
      record_time: 48,
      peaks: talk(7),
      copies: onPhone,
      localfile: 'a.wav',
    },
    {
      ...base,
      id: 'cloud',
      title:
        'Lecture 9: how songbirds learn their dialects, and what we still do not know about it',
      create_date: ago(24 * 9),
      record_time: 5521,
      is_local: 2,
      peaks: talk(8),
      copies: everywhere,
      localfile: 'a.wav',
    },
    {
      ...base,
      id: 'arabic',
      title: 'اجتماع لجنة الحديقة',
      create_date: ago(24 * 26),
      record_time: 2210,
      is_local: 2,
      is_trans: 2,
      xmind_json: gardenMap,
      brief: 'اتفقنا على زراعة أشجار الزيتون في الربيع، وعلى موعد اللقاء القادم مع البلدية.',
      content: paragraphs(),
      peaks: talk(9),
      copies: everywhere,
      localfile: 'a.wav',
    },
    {
      ...base,
      id: 'full',
      title: 'Field notes',
      create_date: ago(24 * 40),
      record_time: 322,
      peaks: talk(10),
      copies: { ...onPhone, phone: { status: 'partial', bytes: 2_100_000 } },
      trouble: { step: 'fetch', code: 'storage_full' },
    },
    ...Array.from(
      { length: 14 },
      (_, index): OpenRecord => ({
        ...base,
        id: `old-${index}`,
        title: `Choir rehearsal ${14 - index}`,
        create_date: ago(24 * (48 + index * 7)),
        record_time: 3600 + index * 97,
        is_local: 2,
        is_trans: 2,
        content: paragraphs(),
        brief: points[index % points.length] ?? '',
        peaks: talk(20 + index),
        copies: everywhere,
        localfile: 'a.wav',
      }),
    ),
  ];
}

const sessions: RecorderSessionRow[] = [
  {
    sessionId: 14,
    startedAt: ago(0, 2),
    durationMs: 96_000,
    bytes: 768_000,
    mode: 'normal',
    scene: 'meeting',
    stillRecording: false,
    recordId: 'on-recorder',
    onPhone: { status: 'waiting' },
  },
  {
    sessionId: 13,
    startedAt: ago(0, 31),
    durationMs: 1_843_000,
    bytes: 14_744_000,
    mode: 'normal',
    scene: 'note',
    stillRecording: false,
    recordId: 'fetching',
    onPhone: { status: 'moving', percent: 62 },
  },
  {
    sessionId: 12,
    startedAt: ago(29),
    durationMs: 611_000,
    bytes: 4_888_000,
    mode: 'call',
    scene: 'call',
    stillRecording: false,
    recordId: 'trouble',
    onPhone: { status: 'whole' },
  },
  {
    sessionId: 11,
    startedAt: ago(80),
    durationMs: 3_722_000,
    bytes: 29_776_000,
    mode: 'normal',
    scene: 'meeting',
    stillRecording: false,
    recordId: 'stopped',
    onPhone: { status: 'stopped' },
  },
  {
    sessionId: 10,
    startedAt: ago(24 * 6),
    durationMs: 48_000,
    bytes: 384_000,
    mode: 'normal',
    scene: 'note',
    stillRecording: false,
    recordId: 'deleted',
    onPhone: { status: 'deleted' },
  },
];

const connected: ConnectedRecorder = {
  medium: 'bluetooth',
  info: {
    sn: 'LN24A7001234',
    projectCode: 'LN24',
    firmwareVersion: '2.3.1',
    mac: 'C4:7F:51:0A:12:34',
    isBind: true,
    protocolVersion: 1,
    tranVersion: 2,
    payloadSize: 244,
  },
  battery: { charging: false, level: 72 },
  storage: { totalSpace: 64e9, free: 41.3e9, useRate: 35, isFull: false },
  recording: { state: 'idle' },
  settings: {
    recLedStatus: true,
    recScene: 'note',
    recMode: 'normal',
    dmicMode: 0,
    micGain: 'normal',
  },
  usage: {
    recordings: 214,
    recordedSeconds: 402_300,
    transferredBytes: 3_218_400_000,
    poweredSeconds: 1_180_000,
    starts: 96,
    charges: 31,
  },
  updated: null,
  sessions,
};

/** The workbench's recorder. */
export const which = { sn: 'LN24A7001234', name: 'Linnet 1234' };
const { sn, name } = which;

const firmware: PublishedFirmware = {
  version: '2.4.0',
  notes:
    'Quieter in the wind.\nThe light no longer blinks in the dark.\nA recording is kept when the battery runs out.',
  size: 1_240_000,
  seconds: 121,
  publishedAt: ago(50),
};

/** Firmware offered by the server. */
export const offers = {
  found: { status: 'found', firmware },
  current: { status: 'found', firmware: { ...firmware, version: connected.info.firmwareVersion } },
  older: { status: 'found', firmware: { ...firmware, version: '2.2.0', notes: '' } },
  none: { status: 'none' },
  looking: { status: 'looking' },
  failed: { status: 'failed', failure: { kind: 'network', cause: null } },
} as const satisfies Record<string, OfferedFirmware>;

const half = 48;
/** An update in each of its states. */
export const updates = {
  idle: { status: 'idle' },
  fetching: { status: 'fetching', firmware },
  sending: { status: 'sending', firmware, percent: half, secondsLeft: 63 },
  asking: { status: 'asking', firmware },
  restarting: { status: 'restarting', firmware, sn },
  done: { status: 'done', version: firmware.version },
  lost: {
    status: 'failed',
    sn,
    percent: half,
    failure: { kind: 'recorder', failure: { kind: 'device', code: 'link_lost' } },
  },
  refused: {
    status: 'failed',
    sn,
    percent: 0,
    failure: { kind: 'refused', code: 'usb_disk_mode', number: 6 },
  },
  damaged: { status: 'failed', sn, percent: 0, failure: { kind: 'damaged' } },
} as const satisfies Record<string, FirmwareUpdate>;

/** The recorder's log, newest first. */
export const operations: readonly RecorderOperation[] = (
  [
    ['recordingEnded', 0],
    ['recordingStarted', 0],
    ['settingChanged', 0],
    ['sessionDeleted', 0],
    ['recordingEnded', 1],
    ['updated', 0],
    ['switchedOn', 0],
  ] as const
).map(([operation, detail], index) => ({
  entry: 40 - index,
  time: Math.floor(Date.now() / 1000) - index * 5400,
  operation,
  detail,
}));

const files: readonly TransferFile[] = (
  [
    [1, { status: 'came' }],
    [0.62, { status: 'moving' }],
    [0, { status: 'waiting' }],
    [0, { status: 'failed', code: 'not_sent' }],
    [0.2, { status: 'gone' }],
  ] as const
).map(([part, state], index) => {
  const bytes = 14_400_000 + index * 3_100_000;
  return {
    sessionId: index + 1,
    recordId: `transfer-${index}`,
    startedAt: ago(3 + index),
    ...{ bytes, here: part * bytes, state },
  };
});
const come = { here: 25_250_000, of: 52_500_000 };

/** A transfer in each of its states. */
export const transfers = {
  idle: { status: 'idle' },
  joining: { status: 'joining', files },
  moving: { status: 'moving', way: 'wifi', files, ...come, rate: 1_340_000 },
  bluetooth: { status: 'moving', way: 'bluetooth', files, ...come, rate: 58_000 },
  done: {
    status: 'ended',
    end: 'done',
    way: 'wifi',
    files: files.slice(0, 1),
  },
  lost: { status: 'ended', end: 'lost', way: 'wifi', files },
  left: { status: 'ended', end: 'left', way: 'bluetooth', files },
} as const satisfies Record<string, TransferState>;

/** Storage used on the workbench's phone. */
export function phoneSpace(ids: readonly string[]): PhoneSpace {
  const recordings = ids.slice(0, 9).map((id, index) => ({ id, bytes: 310e6 / (index + 1) }));
  return {
    audio: 861e6,
    cleaner: 96e6,
    database: 42e6,
    rest: 18e6,
    free: 5.2e9,
    recordings,
    others: 0,
  };
}

/** Pending recordings, each waiting for something else. */
export function waitings(ids: readonly string[]): WaitingState {
  const whys: readonly WaitingState['records'][number]['why'][] = [
    { because: 'recorder' },
    { because: 'wifi_only' },
    { because: 'turn' },
    { because: 'offline', failure: null },
    { because: 'server' },
    { because: 'stopped', trouble: { step: 'upload', code: 'refused' } },
  ];
  const steps = ['fetch', 'upload', 'upload', 'transcribe', 'transcribe', 'upload'] as const;
  return {
    changes: 3,
    records: whys.flatMap((why, index) => {
      const [id, step] = [ids[index], steps[index]];
      return id && step ? [{ id, step, why }] : [];
    }),
    atRest: 4,
    rests: 'switched_off',
  };
}

/** The link in each of its states. */
export const links = {
  none: { status: 'none' },
  lost: { status: 'reconnecting', sn, name, why: 'lost' },
  tap: { status: 'idle', sn, name, why: 'needs_tap' },
  busy: { status: 'reconnecting', sn, name, why: 'busy' },
  unbound: { status: 'idle', sn, name, why: 'unbound' },
  off: { status: 'unavailable', sn, name },
  connecting: { status: 'connecting', sn, name },
  hotspot: {
    status: 'hotspot',
    joining: 'by_hand',
    sn,
    name,
    ssid: 'LNR1-9-1234',
    password: 'AB121234',
  },
  idle: { status: 'connected', sn, name, recorder: connected },
  recording: {
    status: 'connected',
    sn,
    name,
    recorder: {
      ...connected,
      battery: { charging: false, level: 12 },
      recording: {
        state: 'recording',
        sessionId: 15,
        mode: 'normal',
        scene: 'meeting',
        startedAt: Date.now() - 754_000,
        pausedAt: null,
      },
    },
  },
  paused: {
    status: 'connected',
    sn,
    name,
    recorder: {
      ...connected,
      recording: {
        state: 'recording',
        sessionId: 15,
        mode: 'normal',
        scene: 'meeting',
        startedAt: Date.now() - 754_000,
        pausedAt: Date.now(),
      },
    },
  },
  unavailable: {
    status: 'connected',
    sn,
    name,
    recorder: {
      ...connected,
      battery: { charging: true, level: 58 },
      storage: { totalSpace: 64e9, free: 0, useRate: 100, isFull: true },
      recording: { state: 'unavailable' },
    },
  },
  bare: { status: 'connected', sn, name, recorder: { ...connected, sessions: [] } },
  unlisted: { status: 'connected', sn, name, recorder: { ...connected, sessions: null } },
} as const satisfies Record<string, LinkState>;
export type LinkName = keyof typeof links;

export const transports: Record<'both' | 'virtual' | 'phone', readonly RecorderTransport[]> = {
  both: [
    { kind: 'web-bluetooth', availability: { status: 'ready' } },
    { kind: 'websocket', availability: { status: 'ready' } },
  ],
  virtual: [
    {
      kind: 'web-bluetooth',
      availability: { status: 'unavailable', code: 'unsupported', remedy: null },
    },
    { kind: 'websocket', availability: { status: 'ready' } },
  ],
  phone: [
    {
      kind: 'capacitor-ble',
      availability: { status: 'unavailable', code: 'permission_denied', remedy: 'app_settings' },
    },
  ],
};

export const serverStates = {
  reachable: {
    status: 'reachable',
    facts: {
      billing: 'sandbox',
      languages: [{ language: 'en', engine: 'PocketSphinx', quality: 'draft' }],
      analysis: {
        engine: 'builtin',
        kind: 'extractive',
        structures: ['general', 'meeting', 'call', 'lecture', 'interview', 'todo', 'custom'],
        translates: false,
      },
      speakers: false,
      virtualRecorderUrls: [],
      supportUrl: 'mailto:help@example.org',
    },
  },
  unreachable: { status: 'unreachable', facts: null },
} as const satisfies Record<string, ServerState>;

/** A dialog with names, marks, markers and edited texts. */
function talkOfTwo(): OpenRecord {
  const said = paragraphs();
  return {
    ...base,
    ...{ is_local: 2, is_trans: 2, peaks: talk(12), copies: everywhere, localfile: 'a.wav' },
    ...{ id: 'two', title: 'Talk with the caretaker', rec_source: 2, create_date: ago(24 * 32) },
    record_time: Math.ceil(said.at(-1)?.end_time ?? 0) + 2,
    task: { id: 't1', language: 'en' },
    speakers: { 2: 'Miriam Haddad' },
    content: said.map((paragraph, index) => ({
      ...paragraph,
      speaker: String((index % 3) + 1),
      is_tag: index % 5 === 1 ? 1 : 0,
      ...(index === 1 && { edited: true, original: sentences[0] ?? '' }),
    })),
    markers: [
      { id: 'm1', time: 12.4, label: 'When the hall is free' },
      { id: 'm2', time: 74, label: '' },
      { id: 'm3', time: 130.25, label: 'سعر البرامج المطبوعة' },
    ],
  };
}

const hours = 8;
const longParagraphs = 5000;

/** A recording of a working day. */
export function eightHours(): OpenRecord {
  const each = (hours * 3600) / longParagraphs;
  const said = paragraphs();
  return {
    ...talkOfTwo(),
    ...{ id: 'eight-hours', title: 'A day in the council chamber', record_time: hours * 3600 },
    ...{ markers: [], speakers: {}, peaks: talk(13, 1100) },
    content: Array.from({ length: longParagraphs }, (_, index) => {
      const one = said[index % said.length] as Paragraph;
      const shift = index * each - one.start_time;
      return {
        ...one,
        id: `long-${index}`,
        start_time: index * each,
        end_time: (index + 1) * each,
        speaker: String((index % 4) + 1),
        words: (one.words ?? []).map((word) => ({
          ...word,
          start: word.start + shift,
          end: word.end + shift,
        })),
      };
    }),
  };
}

/** Earlier versions of a paragraph. */
export const versions: readonly TextVersion[] = [
  { content: sentences[1] ?? '', state: 'original', at: ago(3) },
  {
    content: 'The hall is free on the second and on the ninth of May.',
    state: 'superseded',
    at: ago(2),
  },
  { content: 'The hall is free on both evenings in March.', state: 'applied', at: ago(1) },
];
