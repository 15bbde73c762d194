/** Defines a session with a recorder, the interface through which the app and the sync engine use the protocol. */
import type { Clock } from '../clock.ts';
import type { operation } from '../codec/messages.ts';
import type { FirmwareErrorCode } from '../errors.ts';
import type { CloseReason, TransportKind, Unsubscribe } from '../transport.ts';

export {
  DEVICE_ERROR_CODES,
  DeviceError,
  type DeviceErrorCode,
  FIRMWARE_ERROR_CODES,
  FirmwareError,
  type FirmwareErrorCode,
  isLinkLost,
} from '../errors.ts';
export type { CloseReason, TransportKind, Unsubscribe } from '../transport.ts';

/** The audio source of a recording: ambient sound or a phone call. */
export type RecordMode = 'normal' | 'call';
/** The purpose of a recording, as selected on the recorder or in the app. */
export type RecordScene = 'call' | 'meeting' | 'note';
/** The recording state. While it's `unavailable`, recording can be neither started nor stopped. */
export type RecordingState = 'idle' | 'recording' | 'unavailable';

/** Information about a recorder, from the handshake. */
export interface RecorderInfo {
  /** The serial number. */
  readonly sn: string;
  readonly projectCode: string;
  readonly firmwareVersion: string;
  /** The Bluetooth address, such as `AA:BB:CC:DD:EE:FF`. */
  readonly mac: string;
  /** True if the recorder is bound. Only the server knows which account it's bound to. */
  readonly isBind: boolean;
  /** The negotiated protocol version. */
  readonly protocolVersion: number;
  /** The highest protocol version that the recorder supports. */
  readonly tranVersion: number;
  /** The maximum notification size on this link, in bytes. */
  readonly payloadSize: number;
}

/** A recorder's storage usage in bytes (KiB on the wire). `useRate` is in percent. */
export interface RecorderStorage {
  readonly totalSpace: number;
  readonly free: number;
  readonly useRate: number;
  readonly isFull: boolean;
}

/** A recorder's settings. They're written together and take effect with the next recording. */
export interface RecorderSettings {
  /** True if the LED is on while recording. */
  readonly recLedStatus: boolean;
  /** The scene for recordings started with the recorder's button. */
  readonly recScene: RecordScene;
  readonly recMode: RecordMode;
  /** The selected microphones, or 0 for automatic selection. */
  readonly dmicMode: number;
  readonly micGain: 'low' | 'normal' | 'high';
}

/** A recorder's usage since it was manufactured. */
export interface RecorderUsage {
  readonly recordings: number;
  readonly recordedSeconds: number;
  /** Number of audio bytes acknowledged by phones. */
  readonly transferredBytes: number;
  /** Total time the recorder has been on. */
  readonly poweredSeconds: number;
  readonly starts: number;
  readonly charges: number;
}

/** An entry in the recorder's operation log. The log contains neither audio nor names. */
export interface RecorderOperation {
  /** The entry's number. Numbers increase and are never reused. */
  readonly entry: number;
  /** When it happened, in seconds since 1970-01-01 UTC by the recorder's clock. */
  readonly time: number;
  readonly operation: keyof typeof operation;
  /** Why a recording ended, as a number defined in `PROTOCOL.md`. 0 for other operations. */
  readonly detail: number;
}

/** A snapshot of the recorder's state. */
export interface RecorderStatus {
  readonly recording:
    | { readonly state: 'idle' }
    | { readonly state: 'unavailable' }
    | {
        readonly state: 'recording';
        readonly isPaused: boolean;
        readonly sessionId: number;
        readonly mode: RecordMode;
        readonly scene: RecordScene;
        /** Duration of the recorded audio, excluding pauses. */
        readonly elapsedMs: number;
      };
  readonly isBind: boolean;
  /** The battery state. `level` is in percent. */
  readonly battery: { readonly charging: boolean; readonly level: number };
  readonly storage: RecorderStorage;
  readonly settings: RecorderSettings;
  readonly sessionCount: number;
}

/** A session stored on the recorder. */
export interface SessionItem {
  readonly sessionId: number;
  /** Total size of the Opus packets in bytes, 160 per 20 ms. Grows while the session is being recorded. */
  readonly fileSize: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly hasMarkers: boolean;
  readonly stillRecording: boolean;
  /** The start time in seconds since 1970-01-01 UTC, by the recorder's clock. */
  readonly startTime: number;
  readonly durationMs: number;
}

/** An event reported by the recorder. */
export type RecorderEvent =
  | {
      readonly type: 'recording_started';
      readonly sessionId: number;
      readonly mode: RecordMode;
      readonly scene: RecordScene;
      /** The start time in seconds since 1970-01-01 UTC. */
      readonly startTime: number;
    }
  | {
      readonly type: 'recording_ended';
      readonly sessionId: number;
      readonly fileSize: number;
      readonly durationMs: number;
      /** Why the recorder ended the recording automatically, or `none` if it didn't. */
      readonly because: 'none' | 'space_full' | 'hardware_abnormal' | 'battery_empty';
    }
  | {
      readonly type: 'recording_paused' | 'recording_restored';
      readonly sessionId: number;
      /** Duration of the audio recorded so far. */
      readonly elapsedMs: number;
    }
  /** A session was added or completed. */
  | ({ readonly type: 'session_changed' } & Omit<SessionItem, 'startTime' | 'durationMs'>)
  | ({ readonly type: 'storage_changed' } & RecorderStorage)
  | ({ readonly type: 'settings_changed' } & RecorderSettings)
  | ({ readonly type: 'usage_changed' } & RecorderUsage)
  /** The Wi-Fi state changed. `origin` is the origin of the HTTP service, or null while it can't be reached. */
  | {
      readonly type: 'wifi_changed';
      readonly state: 'off' | 'hotspot' | 'joining' | 'joined' | 'failed';
      readonly origin: string | null;
    }
  /** The result of a firmware update, reported once. `version` is the running version. */
  | {
      readonly type: 'firmware_changed';
      readonly status: 'ok' | FirmwareErrorCode;
      readonly version: string;
    }
  | { readonly type: 'bind_changed'; readonly isBind: boolean }
  | { readonly type: 'battery_changed'; readonly charging: boolean; readonly level: number };

/** Options for reading a session. */
export interface ReadSessionOptions {
  /**
   * Stores one chunk, or several at once (over HTTP, or if `maxChunksPerCall` is set). `index` is the first chunk's
   * index in the session. Every chunk has `CHUNK_SIZE` bytes except the last, which may be shorter but is still a
   * multiple of 160 bytes. Chunks are passed in order, and the next call waits for the promise. **Resolve only once
   * the bytes are on disk**, because they're then acknowledged to the recorder. A rejection stops the transfer and is
   * passed on to the caller.
   */
  readonly onChunk: (index: number, bytes: Uint8Array) => Promise<void>;
  /**
   * Maximum number of chunks per `onChunk` call. Defaults to 1. Use larger batches over Wi-Fi, where writing each chunk
   * to disk separately would limit the speed.
   */
  readonly maxChunksPerCall?: number;
  /** Called once before the first chunk. `fileSize` is the current size, which grows while recording continues. */
  readonly onStart?: (start: { fileSize: number; stillRecording: boolean }) => void;
  readonly signal?: AbortSignal;
}

/** The credential for a recorder's Wi-Fi service (PROTOCOL.md, section 10), by protocol version. */
export type WifiAccess =
  /** A hex token for the `Authorization: Bearer` header and for the link. Valid until the hotspot stops. */
  | { readonly version: 1; readonly token: string }
  /** A hex secret that's never sent. A proof derived from it opens one link. */
  | { readonly version: 2; readonly secret: string };

/** The address of and credentials for a recorder's Wi-Fi service (PROTOCOL.md, section 10). */
export type Hotspot = WifiAccess & {
  readonly ssid: string;
  readonly password: string;
  /** The origin of the HTTP service, such as `http://192.168.4.1:80`. */
  readonly origin: string;
};

export interface WifiNetwork {
  readonly ssid: string;
  /** The signal strength, in dBm. */
  readonly rssi: number;
  readonly isSecured: boolean;
}

/** A published firmware image. The signature covers model, version and content. */
export interface FirmwareImage {
  readonly bytes: Uint8Array;
  /** The CRC-16 of `bytes`, with the initial value 0xFFFF. */
  readonly crc16: number;
  /** The version: numbers separated by dots, at most 12 characters. */
  readonly version: string;
  /** The Ed25519 signature, 64 bytes. */
  readonly signature: Uint8Array;
}

export interface UpdateOptions {
  /** Called with the progress, from 0 to 99 percent, because the recorder confirms the update only after restarting. */
  readonly onProgress?: (percent: number) => void;
  readonly signal?: AbortSignal;
}

/** The size and hash of a fully read session, computed by the recorder. */
export interface SessionDigest {
  readonly fileSize: number;
  /** The session's SHA-256 digest (32 bytes). The caller must compare it with the digest of the stored chunks. */
  readonly sha256: Uint8Array;
}

/** An open session with a recorder. Methods reject with `DeviceError`. */
export interface RecorderSession {
  readonly info: RecorderInfo;
  readonly kind: TransportKind;
  readonly deviceId: string;

  status(): Promise<RecorderStatus>;
  /** Starts a recording. `startTime` is in seconds since 1970-01-01 UTC. */
  startRecording(request: {
    mode: RecordMode;
    scene: RecordScene;
  }): Promise<{ sessionId: number; startTime: number }>;
  stopRecording(): Promise<{ sessionId: number; fileSize: number }>;
  /** Pauses the recording. `elapsedMs` is the audio's duration so far. */
  pauseRecording(): Promise<{ sessionId: number; elapsedMs: number }>;
  restoreRecording(): Promise<{ sessionId: number; elapsedMs: number }>;
  serial(): Promise<string>;
  battery(): Promise<RecorderStatus['battery']>;
  storage(): Promise<RecorderStorage>;
  set(settings: RecorderSettings): Promise<void>;
  /** Resolves to true if the LED is on while recording. */
  light(): Promise<boolean>;
  setLight(isOn: boolean): Promise<void>;
  /**
   * Starts the hotspot as soon as the sessions can be read. A recorder that can't use both radios at once closes this
   * link.
   * @param sessionIds at most seven IDs, or none to choose the sessions later
   */
  openHotspot(sessionIds: readonly number[]): Promise<Hotspot>;
  /** Stops the hotspot and leaves any joined network. */
  closeWifi(): Promise<void>;
  /** Returns the networks in range of the recorder, strongest first. */
  searchNetworks(): Promise<readonly WifiNetwork[]>;
  /**
   * Makes the recorder join a network. `wifi_changed` reports the result. `ssid` and `password` may have up to 33 bytes
   * each.
   */
  joinNetwork(network: { ssid: string; password: string }): Promise<WifiAccess>;
  /** Resets the hotspot's password to the last eight characters of the serial number. */
  resetHotspotPassword(): Promise<void>;
  usage(): Promise<RecorderUsage>;
  /** Returns the recorder's operation log, oldest entry first. */
  operations(): Promise<readonly RecorderOperation[]>;
  /** Returns all sessions, oldest first, including one that's still being recorded. */
  listSessions(): Promise<readonly SessionItem[]>;
  /**
   * Reads a session, starting at a given chunk. A session still being recorded is read until it ends. Only one session
   * can be read at a time, but other commands work during the transfer.
   */
  readSession(
    sessionId: number,
    fromChunk: number,
    options: ReadSessionOptions,
  ): Promise<SessionDigest>;
  /**
   * Sends new firmware, resuming an earlier transfer of the same image if possible. Resolves once the recorder is about
   * to restart. The recorder reports the result over the next link (`firmware_changed`).
   * @throws FirmwareError if the recorder rejects the firmware
   */
  updateFirmware(image: FirmwareImage, options?: UpdateOptions): Promise<void>;
  /** Deletes a session on the recorder. Fails with `session_unknown` if it doesn't exist. */
  deleteSession(sessionId: number): Promise<void>;
  /**
   * Binds the recorder, and waits for the user to confirm on it. Under version 1, binding an already bound recorder
   * succeeds, and the server must check who owns it. Version 2 requires a session opened with the binding status `new`,
   * and nothing changes on the recorder until {@link claim} is called.
   * @throws DeviceError `bind_refused` if not confirmed, `busy` if a recording is in progress
   */
  bind(options?: BindOptions): Promise<Binding>;
  /** Assigns the recorder to an account, using the key from {@link bind}. Version 2 only. @param ownerTag 16 bytes */
  claim(ownerTag: Uint8Array): Promise<void>;
  /**
   * Returns a signature by the recorder that proves that this account has bound it or is about to. Version 2 only,
   * either between {@link bind} and {@link claim} or for the account that has claimed the recorder.
   * @param ownerTag 16 bytes, as for {@link claim}
   * @param challenge 32 bytes from the account's server
   * @returns an Ed25519 signature, 64 bytes
   * @throws DeviceError `command_unknown` if the recorder has no device key
   */
  attest(ownerTag: Uint8Array, challenge: Uint8Array): Promise<Uint8Array>;
  unbind(): Promise<void>;

  /** Calls the listener for each event. The first listener also receives earlier events. */
  onEvent(listener: (event: RecorderEvent) => void): Unsubscribe;
  /** Calls the listener once when the link is closed, including by `close()`. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  close(): Promise<void>;
}

/** Options for binding. */
export interface BindOptions {
  /** The account's existing key for this recorder. If the recorder accepts it, no confirmation is needed. */
  readonly knownKey?: Uint8Array;
  readonly signal?: AbortSignal;
}

/** The result of binding. Under version 2, includes the key (32 bytes) that opens all later sessions. */
export type Binding = { readonly version: 1 } | { readonly version: 2; readonly key: Uint8Array };

/** Options for opening a session. */
export interface OpenSessionOptions {
  readonly clock?: Clock;
  /**
   * `bound` with the key of an existing binding, which makes version 2 mandatory, or `new` to bind under the highest
   * common version. If omitted, version 1 is used.
   */
  readonly binding?:
    | { readonly status: 'bound'; readonly key: Uint8Array }
    | { readonly status: 'new' };
  /** The version 1 token (16 ASCII characters). Defaults to `FIXED_TOKEN`. */
  readonly token?: string;
  /** The time zone in minutes east of UTC. Defaults to the system's. */
  readonly timeZoneMinutes?: number;
  readonly signal?: AbortSignal;
}
