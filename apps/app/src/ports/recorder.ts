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
import type { LiveSound } from '@linnet/recorders';
import type { MicrophoneErrorCode } from '@linnet/sync';
import type { FirmwareService } from './firmware.ts';
import type { Outcome, Store } from './store.ts';
import type { TransferService } from './transfer.ts';

/**
 * A transport to recorders: the browser's Bluetooth, the phone's own, or the WebSocket of a virtual recorder.
 * `remedy` is the action available to the app while the transport is unavailable.
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

/** A recorder found by a search. `bound`: according to its advertisement, null if unreadable. */
export type FoundRecorder = {
  readonly kind: RecorderTransport['kind'];
  readonly deviceId: string;
  readonly name: string;
  readonly sn: string | null;
  /** dBm */
  readonly rssi: number | null;
  readonly bound: boolean | null;
  /** Address of a virtual recorder's page with its buttons; null for a physical one. */
  readonly controls: string | null;
};

/** A recorder bound on this phone. */
export type KnownRecorder = { readonly sn: string; readonly name: string };

export type LinkState =
  /** No recorder is bound on this phone. */
  | { readonly status: 'none' }
  /** The current recorder and its state. */
  | (KnownRecorder &
      (
        | /** No connection is attempted: disconnected, the browser requires a tap, or the recorder is unbound. */
        {
            readonly status: 'idle';
            readonly why: 'closed' | 'needs_tap' | 'unbound';
          }
        /** Bluetooth is off. */
        | { readonly status: 'unavailable' }
        | { readonly status: 'connecting' }
        /**
         * Being retried: out of range, connected to another phone, or returning from its own network.
         */
        | { readonly status: 'reconnecting'; readonly why: 'lost' | 'busy' | 'wifi' }
        /** The recorder has its own network, which this device must join. */
        | {
            readonly status: 'hotspot';
            readonly joining: NetworkJoining;
            readonly ssid: string;
            readonly password: string;
          }
        | { readonly status: 'connected'; readonly recorder: ConnectedRecorder }
      ));

/**
 * How this device joins the recorder's network: through a system prompt, manually because the system offers
 * none, or manually after the prompt failed.
 */
export type NetworkJoining = 'asked' | 'by_hand' | 'refused';

/** History of the link. Milliseconds since 1970. */
export type LinkHistory = {
  /** Time of the connection; null while disconnected. */
  readonly since: number | null;
  /** Time and reason of the last link loss; null if there was none since the app started. */
  readonly lastLoss: { readonly at: number; readonly reason: CloseReason } | null;
  /** dBm at the last search; null if the platform does not report it. */
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
    /** Milliseconds since 1970, by this phone's clock; `startedAt` is corrected for pauses. */
    | {
        readonly state: 'recording';
        readonly sessionId: number;
        readonly mode: RecordMode;
        readonly scene: RecordScene;
        readonly startedAt: number;
        /** Null unless paused. */
        readonly pausedAt: number | null;
      };
  readonly settings: RecorderSettings;
  /** Lifetime counters; null until read. */
  readonly usage: RecorderUsage | null;
  /** The outcome of an update reported over this link; null if there was none. */
  readonly updated: { readonly status: 'ok' | FirmwareErrorCode; readonly version: string } | null;
  /** The recorder's sessions; null until listed. */
  readonly sessions: readonly RecorderSessionRow[] | null;
};
/** A session on the recorder, joined with its state on the phone. */
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
   * - `waiting`: queued for automatic transfer
   * - `stopped`: the transfer failed; retried on request, or with the next connection
   * - `cloud`: a verified copy is in the cloud and none here; transferred on request
   * - `deleted`: deleted permanently by the user
   */
  readonly onPhone:
    | { readonly status: 'waiting' | 'stopped' | 'cloud' | 'whole' | 'deleted' }
    | { readonly status: 'moving'; readonly percent: number };
};

/**
 * The reason of a failed recorder operation. Device codes are those of `@linnet/device` (`DeviceError`,
 * `TransportError`), server failures those of the contract; `recording` has the specification's device
 * recording code (-1 to 7).
 */
export type RecorderFailure =
  | { readonly kind: 'device'; readonly code: string }
  | { readonly kind: 'recording'; readonly code: number }
  /** `sn`: serial number of the recorder, once known. */
  | { readonly kind: 'server'; readonly failure: CallFailure; readonly sn: string }
  | { readonly kind: 'microphone'; readonly code: MicrophoneErrorCode }
  | { readonly kind: 'not-connected' };

export type RecorderService = {
  readonly link: Store<LinkState>;
  readonly history: Store<LinkHistory>;
  /** Changes five times a second while recording, so it is drawn outside React. */
  readonly sound: Store<LiveSound>;
  /** Refreshed for each new subscriber; on phones, that may ask for a permission. */
  readonly transports: Store<readonly RecorderTransport[]>;
  /** Applies the remedy for an unavailable transport. */
  remedy(
    kind: RecorderTransport['kind'],
    remedy: TransportRemedy,
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Opens the browser's chooser (for Bluetooth; requires a tap), or lists recorders in range. */
  find(
    kind: RecorderTransport['kind'],
  ): Promise<Outcome<readonly FoundRecorder[], RecorderFailure>>;
  /**
   * Connects, waits for confirmation on the recorder, binds it on this phone and the server, and remembers
   * it.
   */
  bind(
    found: FoundRecorder,
    onStep: (step: BindStep) => void,
  ): Promise<Outcome<null, RecorderFailure>>;
  /** The account's recorders on this phone, last used first. */
  known(): readonly KnownRecorder[];
  /** Connects a remembered recorder, or the first to respond; requires a tap in some browsers. */
  reconnect(sn?: string): Promise<Outcome<null, RecorderFailure>>;
  /** Disconnects without reconnecting automatically. */
  disconnect(): Promise<void>;
  /** Unbinds on this phone, the recorder and the server; requires a connection. */
  unbind(): Promise<Outcome<null, RecorderFailure>>;
  /**
   * Removes a recorder from the account and this phone without a connection, for a recorder that has lost its
   * binding.
   */
  forget(sn: string): Promise<Outcome<null, RecorderFailure>>;
  startRecording(what: {
    mode: RecordMode;
    scene: RecordScene;
  }): Promise<Outcome<null, RecorderFailure>>;
  stopRecording(): Promise<Outcome<null, RecorderFailure>>;
  /** Pauses the recording. */
  pauseRecording(): Promise<Outcome<null, RecorderFailure>>;
  resumeRecording(): Promise<Outcome<null, RecorderFailure>>;
  listSessions(): Promise<Outcome<null, RecorderFailure>>;
  /** Transfers one session, or all, to the phone now. */
  fetchSessions(sessionIds: readonly number[] | 'all'): void;
  deleteSession(sessionId: number): Promise<Outcome<null, RecorderFailure>>;
  readonly transfer: TransferService;
  /** Returns from the recorder's own network to Bluetooth. */
  leaveHotspot(): Promise<void>;
  /** Changes settings on the recorder, one change at a time. */
  changeSettings(change: Partial<RecorderSettings>): Promise<Outcome<null, RecorderFailure>>;
  /** Reads the recorder's counters into the link's `usage`. */
  readUsage(): Promise<Outcome<null, RecorderFailure>>;
  /** The recorder's own log, newest first. */
  readOperations(): Promise<Outcome<readonly RecorderOperation[], RecorderFailure>>;
  readonly firmware: FirmwareService;
};
/** `confirming` waits for a short press; `holding`, on a bound recorder, for a long press. */
export type BindStep = 'connecting' | 'checking' | 'confirming' | 'holding' | 'binding' | 'done';
