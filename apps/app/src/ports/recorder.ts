/**
 * The recorder service as pages see it: the connection to the recorder, its state, and its commands. Implemented in
 * `features/recorder`.
 */
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
import type { LiveAudioLevels, RecorderCapabilities, RecorderKind } from '@linnet/recorders';
import type { MicrophoneErrorCode } from '@linnet/sync';
import type { FirmwareService } from './firmware.ts';
import type { Outcome, Store } from './store.ts';
import type { TransferService } from './transfer.ts';

/** A transport to recorders: Bluetooth in a browser or on a phone, or a virtual recorder's WebSocket. */
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
        /** How the app can make the transport available; null if it can't. */
        readonly remedy: TransportRemedy | null;
      };
};

export type TransportRemedy = 'switch_on' | 'app_settings';

/** The kind of an added recorder. A Pocket records only with its own button. */
export type AddedKind = RecorderKind | 'pocket';

/** A recorder found by a search. */
export type FoundRecorder = {
  readonly kind: RecorderTransport['kind'];
  readonly deviceId: string;
  readonly name: string;
  readonly sn: string | null;
  /** dBm. */
  readonly rssi: number | null;
  /** Whether the recorder advertises a binding; null if its advertisement can't be read. */
  readonly bound: boolean | null;
  /** URL of the page with a virtual recorder's buttons; null for a physical recorder. */
  readonly controls: string | null;
};

/** A recorder bound on this phone. */
export type KnownRecorder = {
  readonly sn: string;
  readonly name: string;
};

export type LinkState =
  /** No recorder is bound on this phone. */
  | { readonly status: 'none' }
  /** The current recorder and its state. */
  | (KnownRecorder &
      (
        | /** Not connecting: the user disconnected, the browser requires a tap, or the recorder is unbound. */
        {
            readonly status: 'idle';
            readonly reason: 'closed' | 'needs_tap' | 'unbound';
          }
        /** Bluetooth is off. */
        | { readonly status: 'unavailable' }
        | { readonly status: 'connecting' }
        /**
         * Connecting is being retried: the recorder is out of range, it is connected to another phone, or the link is
         * returning from the recorder's network.
         */
        | { readonly status: 'reconnecting'; readonly reason: 'lost' | 'busy' | 'wifi' }
        /** The recorder has opened its own network, and this device must join it. */
        | {
            readonly status: 'hotspot';
            readonly joining: NetworkJoining;
            readonly ssid: string;
            readonly password: string;
          }
        | { readonly status: 'connected'; readonly recorder: ConnectedRecorder }
      ));

/**
 * How this device joins the recorder's network: through a system prompt, manually because the system has none, or
 * manually after the prompt failed.
 */
export type NetworkJoining = 'asked' | 'by_hand' | 'refused';

/** The link's history. Times are in milliseconds since 1970. */
export type LinkHistory = {
  /** When the link was connected; null while disconnected. */
  readonly since: number | null;
  /** The last link loss since the app started; null if there was none. */
  readonly lastLoss: { readonly at: number; readonly reason: CloseReason } | null;
  /** Signal strength in dBm at the last search; null if the platform doesn't report it. */
  readonly signal: number | null;
};
export type ConnectedRecorder = {
  readonly info: RecorderInfo;
  /** `network` is the connection to a software recorder; `wifi` is the recorder's own network. */
  readonly medium: 'bluetooth' | 'wifi' | 'network';
  readonly capabilities: RecorderCapabilities;
  /** `level` is in percent. */
  readonly battery: { readonly charging: boolean; readonly level: number };
  /** In bytes, except for `useRate`, which is in percent. */
  readonly storage: {
    readonly totalSpace: number;
    readonly free: number;
    readonly useRate: number;
    readonly isFull: boolean;
  };
  readonly recording:
    | { readonly state: 'idle' }
    | { readonly state: 'unavailable' }
    /**
     * Times are in milliseconds since 1970 by this phone's clock. `startedAt` is shifted by the total duration of the
     * pauses, so that the elapsed time is the current time (or `pausedAt`) minus `startedAt`.
     */
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
  /** The firmware update outcome that the recorder reported over this link; null if it reported none. */
  readonly updated: { readonly status: 'ok' | FirmwareErrorCode; readonly version: string } | null;
  /** The recorder's sessions; null until listed. */
  readonly sessions: readonly RecorderSessionRow[] | null;
  /**
   * The device code of the last session list's failure, or null if it succeeded. The link still works, and the list is
   * requested again after a while.
   */
  readonly listFailure: string | null;
};
/** A session on the recorder, and the state of the phone's copy. */
export type RecorderSessionRow = {
  readonly sessionId: number;
  /** ISO 8601; null if the recorder didn't know the time. */
  readonly startedAt: string | null;
  readonly durationMs: number;
  readonly bytes: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly stillRecording: boolean;
  readonly recordId: string;
  /**
   * - `waiting`: queued for automatic transfer
   * - `stopped`: the transfer failed; it is retried on request or over the next connection
   * - `cloud`: a verified copy is in the cloud and none on this phone; transferred only on request
   * - `complete`: the phone has a verified copy
   * - `deleted`: the user has permanently deleted the recording
   */
  readonly onPhone:
    | { readonly status: 'waiting' | 'stopped' | 'cloud' | 'complete' | 'deleted' }
    | { readonly status: 'transferring'; readonly percent: number };
};

/** Why a recorder operation failed. */
export type RecorderFailure =
  /** `code` is a `DeviceError` or `TransportError` code from `@linnet/device`. */
  | { readonly kind: 'device'; readonly code: string }
  /** `code` is the specification's error number for recording commands, -1 to 7. */
  | { readonly kind: 'recording'; readonly code: number }
  | { readonly kind: 'server'; readonly failure: CallFailure; readonly sn: string }
  | { readonly kind: 'microphone'; readonly code: MicrophoneErrorCode }
  | { readonly kind: 'not-connected' };

export type RecorderService = {
  readonly link: Store<LinkState>;
  readonly history: Store<LinkHistory>;
  /** Changes five times a second while recording, so pages should draw it without rendering React components. */
  readonly audioLevels: Store<LiveAudioLevels>;
  /** Refreshed for each new subscriber. On phones, this may prompt the user for permission. */
  readonly transports: Store<readonly RecorderTransport[]>;
  /** Applies an unavailable transport's remedy. */
  applyRemedy(
    kind: RecorderTransport['kind'],
    remedy: TransportRemedy,
  ): Promise<Outcome<null, RecorderFailure>>;
  /**
   * Finds recorders in range. Over Bluetooth in a browser, this opens the browser's chooser, which requires a tap.
   */
  find(
    kind: RecorderTransport['kind'],
  ): Promise<Outcome<readonly FoundRecorder[], RecorderFailure>>;
  /**
   * Finds the software recorder at an address. Fails with `address_not_allowed` if the server's pages may not connect to
   * it, and with `address_silent` if no recorder responds.
   */
  findAt(address: string): Promise<Outcome<readonly FoundRecorder[], RecorderFailure>>;
  /**
   * Connects to a recorder, waits for confirmation on the recorder, and binds it on this phone and the server. A
   * third-party recorder is only remembered on this phone.
   * @returns the recorder's kind
   */
  bind(
    found: FoundRecorder,
    onStep: (step: BindStep) => void,
  ): Promise<Outcome<AddedKind, RecorderFailure>>;
  /** The account's recorders on this phone, most recently used first, each with the transport it was found on. */
  known(): readonly (KnownRecorder & { readonly kind: RecorderTransport['kind'] })[];
  /** Connects to a remembered recorder, or to the first one that responds. Some browsers require a tap. */
  reconnect(sn?: string): Promise<Outcome<null, RecorderFailure>>;
  /** Returns the names of the account's recorders, including those unknown to this device. */
  boundNames(): Promise<Outcome<readonly string[], CallFailure>>;
  /** Disconnects without reconnecting automatically. */
  disconnect(): Promise<void>;
  /** Unbinds the connected recorder on this phone, the recorder and the server. */
  unbind(): Promise<Outcome<null, RecorderFailure>>;
  /**
   * Removes a recorder from the account and this phone without a connection, because it is lost or has lost its
   * binding.
   */
  forget(sn: string): Promise<Outcome<null, RecorderFailure>>;
  startRecording(type: {
    mode: RecordMode;
    scene: RecordScene;
  }): Promise<Outcome<null, RecorderFailure>>;
  stopRecording(): Promise<Outcome<null, RecorderFailure>>;
  pauseRecording(): Promise<Outcome<null, RecorderFailure>>;
  resumeRecording(): Promise<Outcome<null, RecorderFailure>>;
  listSessions(): Promise<Outcome<null, RecorderFailure>>;
  /** Requests that sessions be transferred to the phone immediately. */
  fetchSessions(sessionIds: readonly number[] | 'all'): void;
  deleteSession(sessionId: number): Promise<Outcome<null, RecorderFailure>>;
  readonly transfer: TransferService;
  /** Returns from the recorder's own network to Bluetooth. */
  leaveHotspot(): Promise<void>;
  /** Changes settings on the recorder, one change at a time. */
  changeSettings(change: Partial<RecorderSettings>): Promise<Outcome<null, RecorderFailure>>;
  /** Reads the recorder's counters into the link's `usage`. */
  readUsage(): Promise<Outcome<null, RecorderFailure>>;
  /** Reads the recorder's own log, newest entry first. */
  readOperations(): Promise<Outcome<readonly RecorderOperation[], RecorderFailure>>;
  readonly firmware: FirmwareService;
};
/**
 * A step in binding. `confirming` waits for a short press of the recorder's button, `holding` for a long press, which a
 * recorder that already has a binding requires.
 */
export type BindStep = 'connecting' | 'checking' | 'confirming' | 'holding' | 'binding' | 'done';
