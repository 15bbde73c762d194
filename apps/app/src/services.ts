/**
 * What the pages are built on: everything they read and everything they can ask for. Pages import only
 * types from here and get the services through `useServices()`; `main.tsx` puts them together from
 * `features/` and `platform/`.
 */
import type { Setting, SummaryTemplate, UserInfo } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Bcp47 } from '@linnet/contract/languages';
import type { StructureId } from '@linnet/contract/structures';
import type { RecorderInfo, RecordMode, RecordScene } from '@linnet/device/session';
import type {
  AudioStoreErrorCode,
  Movement,
  RecordDetail,
  RecordSummary,
  SoundVersion,
} from '@linnet/sync';

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
      readonly user: Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'>;
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

export type RecorderService = {
  readonly link: Store<LinkState>;
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
  record(id: string): Live<(RecordDetail & Moving) | null>;
  markRead(id: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** To the recycle bin; `restore` is its undo. */
  moveToBin(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Tries again whatever the record's `trouble` stopped. */
  retry(id: string): Promise<void>;
  /** Wants a transcript in a language, BCP-47 or `auto`; in place of the one there is, if there is one. */
  transcribe(id: string, language: string, version?: SoundVersion): Promise<void>;
  /** Wants no transcript any more that was asked for, and of which the server was not told yet. */
  callOff(id: string): Promise<void>;
  /** Has the summary made again from the transcript as it is now, and resolves once it is here. */
  summarize(id: string, wish: SummaryWish): Promise<Outcome<null, CallFailure>>;
  /** An address `<audio>` can play and seek, and how to let go of it; null when there is no audio. */
  audio(id: string, version?: SoundVersion): Promise<{ url: string; release(): void } | null>;
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

// Settings -----------------------------------------------------------------------------------------

export type SettingsService = {
  /** The owner's settings, whichever phone they were made on. */
  readonly all: Live<readonly Setting[]>;
  set(group: string, key: string, value: string): Promise<void>;
};

// All -----------------------------------------------------------------------------------------------

export type Services = {
  readonly account: AccountService;
  readonly server: Store<ServerState>;
  readonly recorder: RecorderService;
  readonly library: LibraryService;
  readonly cleaner: CleanerService;
  readonly imports: ImportService;
  readonly settings: SettingsService;
};
