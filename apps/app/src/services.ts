/**
 * What the pages are built on: everything they read and everything they can ask for. Pages import only
 * types from here and get the services through `useServices()`; `main.tsx` puts them together from
 * `features/` and `platform/`.
 */
import type { CallData, Setting, SummaryTemplate, UserInfo } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Bcp47 } from '@linnet/contract/languages';
import type { StructureId } from '@linnet/contract/structures';
import type { RecorderInfo, RecordMode, RecordScene } from '@linnet/device/session';
import type {
  Act,
  AudioStoreErrorCode,
  FoundRecord,
  Movement,
  RecordDetail,
  RecordSummary,
  SoundVersion,
} from '@linnet/sync';
import type { ExportPart } from './export-parts.ts';
import type { Drawing } from './mind-map/layout.ts';
import type { Twig } from './mind-map/tree.ts';

/** A value that changes, for `useSyncExternalStore`. `get` returns the same object until it changes. */
export type Store<T> = {
  get(): T;
  /** @returns takes the listener back. */
  subscribe(listener: () => void): () => void;
};

/** Something read from the on-device database; `loading` only before the first answer. */
export type Live<T> = Store<
  { readonly status: 'loading' } | { readonly status: 'ready'; readonly value: T }
>;

/** The outcome of an action the owner waits for. */
export type Outcome<T, F> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: F };

// Account ------------------------------------------------------------------------------------------

export type AccountState =
  | { readonly status: 'loading' }
  /** `expired`: the server no longer takes the tokens; nothing on the phone was lost. */
  | { readonly status: 'signed-out'; readonly because: 'new' | 'left' | 'expired' }
  | {
      readonly status: 'signed-in';
      readonly user: Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
        /** Whether they were a member when the server last told, and until when; for want of an answer. */
        readonly member?: { readonly until: string | null } | null;
      };
    };

export type AccountService = {
  readonly state: Store<AccountState>;
  /** Membership and minutes as last heard from the server; null before the first answer. */
  readonly membership: Store<Membership | null>;
  /** Sends a six-digit code. `retryAfter` in seconds. */
  sendCode(email: string): Promise<Outcome<{ retryAfter: number }, CallFailure>>;
  register(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  resetPassword(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  signIn(email: string, password: string): Promise<Outcome<null, CallFailure>>;
  /** The e-mail of the last sign-in, to fill the form. */
  lastEmail(): string;
  signOut(): Promise<void>;
  refresh(): Promise<void>;
};
export type NewPassword = { email: string; code: string; password: string; repassword: string };
export type Membership = {
  readonly isVip: boolean;
  readonly plan: UserInfo['vip_plan'];
  readonly expiresAt: string | null;
  readonly leftMinutes: number;
};

// Server facts ------------------------------------------------------------------------------------

export type ServerState =
  | { readonly status: 'unknown' }
  | { readonly status: 'reachable' | 'unreachable'; readonly facts: ServerFacts | null };
export type ServerFacts = {
  readonly billing: 'sandbox' | 'stripe' | 'off';
  readonly languages: readonly {
    readonly language: string;
    readonly engine: string;
    readonly quality: 'draft' | 'good';
  }[];
  readonly analysis: {
    readonly engine: string;
    readonly kind: 'extractive' | 'generative';
    readonly structures: readonly StructureId[];
    /** Whether a summary may be in another language than the recording. */
    readonly translates: boolean;
  };
  /** Whether speakers are told apart. */
  readonly speakers: boolean;
  readonly virtualRecorderUrl: string | null;
  readonly agreementVersion: string;
};

// Recorder -----------------------------------------------------------------------------------------

/** A way to reach a recorder. `virtual` is the WebSocket transport. */
export type RecorderWay = {
  readonly kind: 'web-bluetooth' | 'websocket';
  readonly availability:
    | { readonly status: 'ready' }
    | {
        readonly status: 'unavailable';
        readonly code: 'unsupported' | 'insecure_context' | 'radio_off' | 'not_found';
      };
};

/** A recorder that answered a search. `bound`: what its advertisement says, null where unreadable. */
export type FoundRecorder = {
  readonly kind: RecorderWay['kind'];
  readonly deviceId: string;
  readonly name: string;
  readonly sn: string | null;
  /** dBm */
  readonly rssi: number | null;
  readonly bound: boolean | null;
};

export type LinkState =
  /** No recorder is bound on this phone. */
  | { readonly status: 'none' }
  /** One is remembered; `why` nothing is connected. */
  | {
      readonly status: 'idle';
      readonly name: string;
      readonly why: 'lost' | 'radio_off' | 'needs_tap' | 'closed' | 'busy';
    }
  | { readonly status: 'connecting'; readonly name: string }
  | { readonly status: 'connected'; readonly name: string; readonly recorder: ConnectedRecorder };
export type ConnectedRecorder = {
  readonly info: RecorderInfo;
  /** Percent. */
  readonly battery: { readonly charging: boolean; readonly level: number };
  /** Bytes; `useRate` in percent. */
  readonly storage: {
    readonly totalSpace: number;
    readonly free: number;
    readonly useRate: number;
    readonly isFull: boolean;
  };
  readonly recording:
    | { readonly state: 'idle' }
    | { readonly state: 'unavailable' }
    /** `startedAt`: milliseconds since 1970, by this phone's clock. */
    | {
        readonly state: 'recording';
        readonly sessionId: number;
        readonly mode: RecordMode;
        readonly scene: RecordScene;
        readonly startedAt: number;
      };
  /** What lies on the recorder; null until it was listed. */
  readonly sessions: readonly RecorderSessionRow[] | null;
};
/** A session on the recorder, joined with what the phone has of it. */
export type RecorderSessionRow = {
  readonly sessionId: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly bytes: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly stillRecording: boolean;
  readonly recordId: string;
  readonly onPhone:
    | { readonly status: 'absent' | 'waiting' | 'whole' | 'deleted' }
    | { readonly status: 'moving'; readonly percent: number };
};

/**
 * Why finding, binding or recording failed. Device codes are those of `@linnet/device` (`DeviceError`,
 * `TransportError`), server failures those of the contract; `recording` carries the specification's
 * device recording code (-1 to 7).
 */
export type RecorderFailure =
  | { readonly kind: 'device'; readonly code: string }
  | { readonly kind: 'recording'; readonly code: number }
  /** `sn`: the serial of the recorder it is about, once that is known. */
  | { readonly kind: 'server'; readonly failure: CallFailure; readonly sn: string }
  | { readonly kind: 'not-connected' };

/** What the recorder hears, as far as it came. */
export type LiveSound = {
  /** The recording it belongs to; null while nothing came. */
  readonly recordId: string | null;
  /** Levels of it so far. */
  readonly heard: number;
  /** The latest of them, newest last: largest amplitudes, 0 to 1, one for each tenth of a second. */
  readonly levels: readonly number[];
};

export type RecorderService = {
  readonly link: Store<LinkState>;
  /** Changes five times a second while something is recorded: for drawing, not for rendering. */
  readonly sound: Store<LiveSound>;
  readonly ways: Store<readonly RecorderWay[]>;
  /** Opens the browser's chooser (Bluetooth; call it from a tap) or lists what is there. */
  find(kind: RecorderWay['kind']): Promise<Outcome<readonly FoundRecorder[], RecorderFailure>>;
  /** Connects, asks the server whether it may be bound, binds it here and there, remembers it. */
  bind(
    found: FoundRecorder,
    onStep: (step: BindStep) => void,
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Connects the remembered recorder; with a tap where the browser wants one. */
  reconnect(): Promise<Outcome<null, RecorderFailure>>;
  /** Unbinds here, on the recorder and on the server; needs the connection. */
  unbind(): Promise<Outcome<null, RecorderFailure>>;
  startRecording(what: {
    mode: RecordMode;
    scene: RecordScene;
  }): Promise<Outcome<null, RecorderFailure>>;
  stopRecording(): Promise<Outcome<null, RecorderFailure>>;
  listSessions(): Promise<Outcome<null, RecorderFailure>>;
  /** Moves one session, or all, to the phone now. */
  fetchSessions(sessionIds: readonly number[] | 'all'): void;
  deleteSession(sessionId: number): Promise<Outcome<null, RecorderFailure>>;
};
export type BindStep = 'connecting' | 'checking' | 'confirming' | 'binding' | 'done';

// Library -------------------------------------------------------------------------------------------

/** What moves of a recording right now, beside what the database says of it. */
export type Moving = { readonly movement: Movement | null };

/** How a summary should be; as it was, and in the recording's language, where nothing is said. */
export type SummaryWish = {
  readonly structure?: StructureId;
  readonly template?: SummaryTemplate;
  /** BCP-47. */
  readonly language?: Bcp47;
};

export type LibraryService = {
  /** All kept recordings of the account, newest first. */
  readonly records: Live<readonly (RecordSummary & Moving)[]>;
  /** What lies in the recycle bin, what was put there last first. */
  readonly bin: Live<readonly RecordSummary[]>;
  record(id: string): Live<(RecordDetail & Moving) | null>;
  markRead(id: string): Promise<void>;
  /**
   * Does what the owner asks for: here at once, on the server and their other phones as soon as those can
   * be told. Nothing happens to a recording that is gone.
   */
  edit(act: Act): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** The same for several at once: all or none, each act about another recording or paragraph. */
  editAll(acts: readonly Act[]): Promise<void>;
  /** To the recycle bin; `restore` is its undo. */
  moveToBin(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /** Those that lie in the bin, for good: with transcript and sound, here and everywhere but on the recorder. */
  deleteForGood(ids: readonly string[]): Promise<void>;
  /** Asks the server now what other phones did, and says how that went. */
  refresh(): Promise<Outcome<null, CallFailure>>;
  /** Tries again whatever the record's `trouble` stopped. */
  retry(id: string): Promise<void>;
  /** Wants a transcript in a language, BCP-47 or `auto`; in place of the one there is, if there is one. */
  transcribe(id: string, language: string, version?: SoundVersion): Promise<void>;
  /** Wants no transcript any more that was asked for, and of which the server was not told yet. */
  callOff(id: string): Promise<void>;
  /** Has the summary made again from the transcript as it is now, and resolves once it is here. */
  summarize(id: string, wish: SummaryWish): Promise<Outcome<null, CallFailure>>;
  /** Every text that the server knows of a paragraph, what the engine heard first. */
  versions(id: string, paragraph: string): Promise<Outcome<readonly TextVersion[], CallFailure>>;
  /** What can be played of a recording; null when there is nothing, or the server does not answer. */
  audio(id: string, version?: SoundVersion): Promise<Sound | null>;
};

/** One text that a paragraph had. */
export type TextVersion = CallData<'task/paragraph-history'>['list'][number];

/** A sound that `<audio>` can play and seek. */
export type Sound = {
  readonly url: string;
  /** `cloud`: it is streamed, and only plays while the server answers. */
  readonly from: 'phone' | 'cloud';
  /** The loudness of its stretches; null where the sound is not on this phone. */
  readonly levels: Levels | null;
  release(): void;
};

/**
 * The loudness of a stretch of a sound: its largest amplitudes, 0 to 1, one for each step of time. Less
 * than was asked for at the end of the sound.
 * @param from seconds
 * @param to seconds
 */
export type Levels = {
  /** Seconds. */
  readonly step: number;
  read(from: number, to: number): Promise<Float32Array>;
};

// Cleaner versions ----------------------------------------------------------------------------------

/** A cleaner version that is being made, or could not be. `fraction` 0–1. */
export type Cleaning =
  | { readonly status: 'working'; readonly fraction: number }
  | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };

export type CleanerService = {
  /** By recording; one that is neither being made nor failed is absent. */
  readonly state: Store<ReadonlyMap<string, Cleaning>>;
  /** Makes the cleaner version of a recording whose sound is on this phone; resolves when that ended. */
  start(id: string): Promise<void>;
  cancel(id: string): void;
  /** Deletes it; for a few seconds `restore` is its undo. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
};

// Imports -------------------------------------------------------------------------------------------

/** A file on its way to becoming a recording; one that became one is gone from here. `fraction` 0–1. */
export type Import = {
  readonly id: string;
  /** Of the file. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

export type ImportService = {
  /** In the order in which they were added. */
  readonly state: Store<readonly Import[]>;
  add(files: readonly File[]): void;
  /** Calls it off, or puts a failed one out of sight. */
  cancel(id: string): void;
};

// Export -------------------------------------------------------------------------------------------

export type TextFormat = 'txt' | 'md' | 'docx' | 'pdf' | 'srt' | 'vtt' | 'json';
export type SoundFormat = 'wav' | 'ogg' | 'mp3';
/** What is taken along, and how. */
export type ExportChoice = {
  readonly what: 'text' | 'sound' | 'both';
  readonly text: TextFormat;
  readonly sound: SoundFormat;
  /** Where there is no cleaner version, the original is taken. */
  readonly version: SoundVersion;
  readonly parts: readonly ExportPart[];
  readonly speakers: boolean;
  readonly times: boolean;
  /** Of the transcript, marked paragraphs only. */
  readonly marked: boolean;
  /** In a zip, a folder for each recording. */
  readonly folders: boolean;
};

/** What there is to be chosen from. */
export type ExportOffer = {
  /** Those that there is anything in. */
  readonly parts: readonly ExportPart[];
  /** Whether any paragraph is marked, and whether any says who speaks. */
  readonly marked: boolean;
  readonly speakers: boolean;
  /** Whether there is a cleaner version of the sound. */
  readonly cleaner: boolean;
};

/** How far it is: which recording of how many, and how much of all, 0–1. `fetching`: from the cloud. */
export type ExportProgress = {
  readonly step: 'writing' | 'fetching' | 'sound';
  readonly number: number;
  readonly of: number;
  readonly fraction: number;
};

/**
 * Why nothing could be taken along; `title` names the recording it is about.
 *
 * - `not_loaded`: the part of the app that makes files did not come; it is about no recording.
 * - `gone`: it was deleted meanwhile.
 * - `no_sound`: its sound is neither on this phone nor in the cloud.
 * - `offline`: its sound is in the cloud, which cannot be reached.
 * - `refused`: the server does not give it, for the reason in `failure`.
 * - otherwise what the phone said while it wrote the file.
 */
export type ExportFailure = {
  /** What the recording is called; '' where nobody knows. */
  readonly title: string;
  readonly code: 'not_loaded' | 'gone' | 'no_sound' | 'offline' | 'refused' | AudioStoreErrorCode;
  readonly failure?: CallFailure;
};

/** What became of a file that was to be shared: `needs_tap` where the browser wants a tap of its own. */
export type Shared = 'shared' | 'cancelled' | 'needs_tap' | 'unable';

/** A file that was made; `missing` says whose sound it has to do without, and why. */
export type ExportedFile = { readonly file: File; readonly missing: readonly ExportFailure[] };

export type ExportService = {
  /** What there is to be chosen from in a recording; null when it is gone. */
  offer(id: string): Promise<ExportOffer | null>;
  /** How the text of a recording begins; null where a format is none to read, or it is gone. */
  preview(id: string, choice: ExportChoice): Promise<string | null>;
  /**
   * One file with everything that was chosen: a zip where it takes several, without the sound that cannot be
   * had as long as there is anything else. Aborting rejects.
   */
  make(
    ids: readonly string[],
    choice: ExportChoice,
    onProgress: (progress: ExportProgress) => void,
    signal: AbortSignal,
  ): Promise<Outcome<ExportedFile, ExportFailure>>;
  /** Hands the text to the browser's print engine, which also makes PDF files of it. */
  print(ids: readonly string[], choice: ExportChoice): Promise<Outcome<null, ExportFailure>>;
  save(file: File): void;
  /** Whether this browser has a share sheet that takes files. */
  readonly shares: boolean;
  share(file: File): Promise<Shared>;
};

// Search -------------------------------------------------------------------------------------------

/** A recording that the server found; `onPhone`: it can be opened, though not what was found in it. */
export type FoundElsewhere = FoundRecord & { readonly onPhone: boolean };

export type SearchResults = {
  /** On this phone, newest first, as many as were asked for. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more than were asked for. */
  readonly more: boolean;
  /** How much of what is on this phone can be found so far, 0–1; null when all of it can. */
  readonly indexed: number | null;
  /** Whether the server was heard; `unreachable`: only this phone was searched. */
  readonly server: 'asking' | 'done' | 'unreachable';
  /** What only the server found. */
  readonly elsewhere: readonly FoundElsewhere[];
};

export type SearchService = {
  /**
   * Searches while somebody listens, here and on the server, and again after each change; letting go
   * calls it off.
   * @param limit recordings of this phone
   */
  find(keyword: string, limit: number): Live<SearchResults>;
};

// Settings -----------------------------------------------------------------------------------------

export type SettingsService = {
  /** The owner's settings, whichever phone they were made on. */
  readonly all: Live<readonly Setting[]>;
  /** Whether what the owner's other phones set is here: the server was asked since the app was opened. */
  readonly heard: Store<boolean>;
  set(group: string, key: string, value: string): Promise<void>;
};

// Files of what was understood -----------------------------------------------------------------------

/** The recording that a file is of; `at` ISO-8601. */
export type Recorded = { readonly name: string; readonly at: string };

export type MapFormat = 'png' | 'svg' | 'xmind' | 'markdown';
export type MapToSave = {
  readonly recording: Recorded;
  readonly tree: Twig;
  /** All of it, nothing folded. */
  readonly drawing: Drawing;
  readonly colours: PictureColours;
  /** CSS font families. */
  readonly faces: { readonly text: string; readonly display: string };
};
/** What a picture is coloured with, as CSS colours; branches and their washes in their order. */
export type PictureColours = {
  readonly paper: string;
  readonly ink: string;
  readonly root: string;
  readonly onRoot: string;
  readonly branches: readonly string[];
  readonly washes: readonly string[];
};

/** A to-do of a recording, for a calendar. */
export type CalendarTodo = {
  /** The same whenever it is exported, and no other's. */
  readonly uid: string;
  readonly text: string;
  /** What else is known of it, in words. */
  readonly notes: readonly string[];
  /** A calendar day like `2026-11-21`; null where none was said. */
  readonly due: string | null;
  readonly done: boolean;
  /** Where it was said. */
  readonly url: string;
};

/** The file could not be made: too large a picture for this browser, or no memory. */
export type SaveFailure = 'not-made';

export type UnderstoodFiles = {
  saveMap(map: MapToSave, format: MapFormat): Promise<Outcome<null, SaveFailure>>;
  saveTodos(
    todos: readonly CalendarTodo[],
    recording: Recorded,
  ): Promise<Outcome<null, SaveFailure>>;
};

// All -----------------------------------------------------------------------------------------------

/** What there is before anybody signed in. */
export type VisitorServices = {
  readonly account: AccountService;
  readonly server: Store<ServerState>;
};

/** What there is for somebody signed in. */
export type Services = VisitorServices & {
  readonly recorder: RecorderService;
  readonly library: LibraryService;
  readonly cleaner: CleanerService;
  readonly imports: ImportService;
  readonly exports: ExportService;
  readonly search: SearchService;
  readonly settings: SettingsService;
  readonly understood: UnderstoodFiles;
};

/** Starts what somebody signed in needs: the same promise each time, until it failed. */
export type LoadServices = () => Promise<{ readonly services: Services }>;
