import type { CallFailure } from '@linnet/contract/client';
import type {
  CloseReason,
  FirmwareErrorCode,
  RecorderInfo,
  RecorderOperation,
  RecorderSettings,
  RecorderUsage,
  RecordMode,
  RecordScene,
} from '@linnet/device/session';
import type { FirmwareService } from './firmware.ts';
import type { Outcome, Store } from './store.ts';
import type { TransferService } from './transfer.ts';

/**
 * A way to reach a recorder: a browser's Bluetooth, a phone's own, or a virtual recorder's WebSocket. `remedy` is
 * what the device lets this app do where it is unavailable.
 */
export type RecorderTransport = {
  readonly kind: 'web-bluetooth' | 'capacitor-ble' | 'websocket';
  readonly availability:
    | { readonly status: 'ready' }
    | {
        readonly status: 'unavailable';
        readonly code:
          | 'unsupported'
          | 'insecure_context'
          | 'radio_off'
          | 'permission_denied'
          | 'not_found';
        readonly remedy: TransportRemedy | null;
      };
};

export type TransportRemedy = 'switch_on' | 'app_settings';

/** A recorder that answered a search. `bound`: what its advertisement says, null where unreadable. */
export type FoundRecorder = {
  readonly kind: RecorderTransport['kind'];
  readonly deviceId: string;
  readonly name: string;
  readonly sn: string | null;
  /** dBm */
  readonly rssi: number | null;
  readonly bound: boolean | null;
  /** Address of the page with the buttons of a virtual recorder; null for one that is held in the hand. */
  readonly controls: string | null;
};

/** A recorder that was bound on this phone. */
export type KnownRecorder = { readonly sn: string; readonly name: string };

export type LinkState =
  /** No recorder is bound on this phone. */
  | { readonly status: 'none' }
  /** The one that is connected or wanted, and how it stands. */
  | (KnownRecorder &
      (
        | /** Nothing is tried: it was closed, the browser wants a tap, or the recorder is bound no more. */
        {
            readonly status: 'idle';
            readonly why: 'closed' | 'needs_tap' | 'unbound';
          }
        /** Bluetooth is off. */
        | { readonly status: 'unavailable' }
        | { readonly status: 'connecting' }
        /** Tried again and again: out of range, with another phone, or on its way back from its own network. */
        | { readonly status: 'reconnecting'; readonly why: 'lost' | 'busy' | 'wifi' }
        /** The recorder has a network of its own, which this device has to join. */
        | {
            readonly status: 'hotspot';
            readonly joining: NetworkJoining;
            readonly ssid: string;
            readonly password: string;
          }
        | { readonly status: 'connected'; readonly recorder: ConnectedRecorder }
      ));

/**
 * How this device comes into the recorder's network: it asks its owner whether to join; its owner joins by hand,
 * because no app here may; or by hand after the device was asked and did not join.
 */
export type NetworkJoining = 'asked' | 'by_hand' | 'refused';

/** What is remembered of the link, beside how it stands. Milliseconds since 1970. */
export type LinkHistory = {
  /** Since when it is connected; null while it is not. */
  readonly since: number | null;
  /** When the link to this recorder last broke, and why; null where it did not since the app was opened. */
  readonly lastLoss: { readonly at: number; readonly reason: CloseReason } | null;
  /** dBm, of when it was last looked for; null where the platform does not tell. */
  readonly signal: number | null;
};
export type ConnectedRecorder = {
  readonly info: RecorderInfo;
  readonly medium: 'bluetooth' | 'wifi';
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
    /** Milliseconds since 1970, by this phone's clock; `startedAt` when it would have begun without pauses. */
    | {
        readonly state: 'recording';
        readonly sessionId: number;
        readonly mode: RecordMode;
        readonly scene: RecordScene;
        readonly startedAt: number;
        /** Null while it listens. */
        readonly pausedAt: number | null;
      };
  readonly settings: RecorderSettings;
  /** What it counted; null until it was asked. */
  readonly usage: RecorderUsage | null;
  /** What it told of an update on this link; null where there was none. */
  readonly updated: { readonly status: 'ok' | FirmwareErrorCode; readonly version: string } | null;
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
  /**
   * - `waiting`: it comes by itself, in its turn
   * - `stopped`: it could not be read, and comes when its owner asks for it, or with the next connection
   * - `cloud`: a checked copy is there and none here; it comes when its owner asks for it
   * - `deleted`: its owner deleted it for good
   */
  readonly onPhone:
    | { readonly status: 'waiting' | 'stopped' | 'cloud' | 'whole' | 'deleted' }
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
  readonly history: Store<LinkHistory>;
  /** Changes five times a second while something is recorded: for drawing, not for rendering. */
  readonly sound: Store<LiveSound>;
  /** Looked at again by each that begins to listen: on phones, looking may ask for a permission. */
  readonly transports: Store<readonly RecorderTransport[]>;
  /** Does what the device allows about a way that is unavailable. */
  remedy(
    kind: RecorderTransport['kind'],
    remedy: TransportRemedy,
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Opens the browser's chooser (Bluetooth; call it from a tap) or lists what is there. */
  find(
    kind: RecorderTransport['kind'],
  ): Promise<Outcome<readonly FoundRecorder[], RecorderFailure>>;
  /** Connects, has its owner confirm, binds it here and at the server, and remembers it. */
  bind(
    found: FoundRecorder,
    onStep: (step: BindStep) => void,
  ): Promise<Outcome<null, RecorderFailure>>;
  /** The account's recorders on this phone, the last used first. */
  known(): readonly KnownRecorder[];
  /** Connects a remembered recorder, or whichever answers; with a tap where the browser wants one. */
  reconnect(sn?: string): Promise<Outcome<null, RecorderFailure>>;
  /** Closes the link, and does not open it again by itself. */
  disconnect(): Promise<void>;
  /** Unbinds here, on the recorder and on the server; needs the connection. */
  unbind(): Promise<Outcome<null, RecorderFailure>>;
  /** Takes a recorder off the account and this phone that knows it no more; needs no connection. */
  forget(sn: string): Promise<Outcome<null, RecorderFailure>>;
  startRecording(what: {
    mode: RecordMode;
    scene: RecordScene;
  }): Promise<Outcome<null, RecorderFailure>>;
  stopRecording(): Promise<Outcome<null, RecorderFailure>>;
  /** Holds the recording: what is said meanwhile is not in it. */
  pauseRecording(): Promise<Outcome<null, RecorderFailure>>;
  resumeRecording(): Promise<Outcome<null, RecorderFailure>>;
  listSessions(): Promise<Outcome<null, RecorderFailure>>;
  /** Moves one session, or all, to the phone now. */
  fetchSessions(sessionIds: readonly number[] | 'all'): void;
  deleteSession(sessionId: number): Promise<Outcome<null, RecorderFailure>>;
  readonly transfer: TransferService;
  /** Back from the recorder's own network to Bluetooth. */
  leaveHotspot(): Promise<void>;
  /** Changes some settings, which the recorder keeps; one change after another. */
  changeSettings(change: Partial<RecorderSettings>): Promise<Outcome<null, RecorderFailure>>;
  /** Asks the recorder what it counted; it shows in the link's `usage`. */
  readUsage(): Promise<Outcome<null, RecorderFailure>>;
  /** The recorder's own notes of what was done with it, newest first. */
  readOperations(): Promise<Outcome<readonly RecorderOperation[], RecorderFailure>>;
  readonly firmware: FirmwareService;
};
/** `confirming` waits for a short press; `holding`, on a recorder that is bound, for a hold. */
export type BindStep = 'connecting' | 'checking' | 'confirming' | 'holding' | 'binding' | 'done';
