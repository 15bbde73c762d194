/**
 * A session with one recorder: the typed interface of the protocol, and the only one that app and sync
 * engine use.
 */
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

/** Audio source: ambient sound or a phone call. */
export type RecordMode = 'normal' | 'call';
/** Recording scene. */
export type RecordScene = 'call' | 'meeting' | 'note';
/** `unavailable` covers every state in which recording can neither start nor stop. */
export type RecordingState = 'idle' | 'recording' | 'unavailable';

/** Recorder information from the handshake. */
export interface RecorderInfo {
  /** Serial number. */
  readonly sn: string;
  readonly projectCode: string;
  readonly firmwareVersion: string;
  /** `AA:BB:CC:DD:EE:FF` */
  readonly mac: string;
  /** Whether the recorder is bound. The owner is known only to the server. */
  readonly isBind: boolean;
  /** The protocol version both sides agreed on. */
  readonly protocolVersion: number;
  /** Highest version the recorder supports. */
  readonly tranVersion: number;
  /** Bytes one notification carries over this link. */
  readonly payloadSize: number;
}

/** Storage usage in bytes (KiB on the wire); `useRate` in percent. */
export interface RecorderStorage {
  readonly totalSpace: number;
  readonly free: number;
  readonly useRate: number;
  readonly isFull: boolean;
}

/** Recorder settings, written together and effective from the next recording. */
export interface RecorderSettings {
  /** Whether the LED is on while recording. */
  readonly recLedStatus: boolean;
  /** Scene and mode of recordings started with the recorder's button. */
  readonly recScene: RecordScene;
  readonly recMode: RecordMode;
  /** Microphone array; 0 is automatic. */
  readonly dmicMode: number;
  readonly micGain: 'low' | 'normal' | 'high';
}

/** Usage counters since manufacture. */
export interface RecorderUsage {
  readonly recordings: number;
  readonly recordedSeconds: number;
  /** Audio bytes acknowledged by phones. */
  readonly transferredBytes: number;
  /** Time awake. */
  readonly poweredSeconds: number;
  readonly starts: number;
  readonly charges: number;
}

/** Entry of the recorder's operation log. Contains no audio and no names. */
export interface RecorderOperation {
  /** Increasing number, never reused. */
  readonly entry: number;
  /** The seconds since 1970-01-01 UTC, by the recorder's clock. */
  readonly time: number;
  readonly operation: keyof typeof operation;
  /** For an ended recording, the reason as the number in `PROTOCOL.md`; otherwise 0. */
  readonly detail: number;
}

/** A snapshot of the recorder. */
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
        /** Recorded audio, excluding pauses. */
        readonly elapsedMs: number;
      };
  readonly isBind: boolean;
  /** `level` in percent. */
  readonly battery: { readonly charging: boolean; readonly level: number };
  readonly storage: RecorderStorage;
  readonly settings: RecorderSettings;
  readonly sessionCount: number;
}

/** Recording stored on the recorder. */
export interface SessionItem {
  readonly sessionId: number;
  /** The bytes of Opus packets, 160 per 20 ms. For a session in progress, the size so far. */
  readonly fileSize: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly hasMarkers: boolean;
  readonly stillRecording: boolean;
  /** The seconds since 1970-01-01 UTC, by the recorder's clock. */
  readonly startTime: number;
  readonly durationMs: number;
}

/** Unsolicited event from the recorder. */
export type RecorderEvent =
  | {
      readonly type: 'recording_started';
      readonly sessionId: number;
      readonly mode: RecordMode;
      readonly scene: RecordScene;
      /** The seconds since 1970-01-01 UTC. */
      readonly startTime: number;
    }
  | {
      readonly type: 'recording_ended';
      readonly sessionId: number;
      readonly fileSize: number;
      readonly durationMs: number;
      /** `none` unless the recorder ended the recording automatically. */
      readonly because: 'none' | 'space_full' | 'hardware_abnormal' | 'battery_empty';
    }
  | {
      readonly type: 'recording_paused' | 'recording_restored';
      readonly sessionId: number;
      /** Recorded audio so far. */
      readonly elapsedMs: number;
    }
  /** A session was added or completed. */
  | ({ readonly type: 'session_changed' } & Omit<SessionItem, 'startTime' | 'durationMs'>)
  | ({ readonly type: 'storage_changed' } & RecorderStorage)
  | ({ readonly type: 'settings_changed' } & RecorderSettings)
  | ({ readonly type: 'usage_changed' } & RecorderUsage)
  /** `origin` is the HTTP service's origin, or null while it is unreachable. */
  | {
      readonly type: 'wifi_changed';
      readonly state: 'off' | 'hotspot' | 'joining' | 'joined' | 'failed';
      readonly origin: string | null;
    }
  /** Sent once after each update; `version` is the running version. */
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
   * Receives one chunk, or several together (`chunksAtOnce`, HTTP); index 0 is the session's first chunk. Every chunk
   * has `CHUNK_SIZE` bytes except the last, which is a shorter multiple of 160. Chunks are passed in order, and
   * the next call waits for the promise. **Resolve only once the bytes are durable**, because they are then
   * acknowledged to the recorder. A rejection stops the transfer and is passed on unchanged.
   */
  readonly onChunk: (index: number, bytes: Uint8Array) => Promise<void>;
  /**
   * Maximum chunks per `onChunk` call, 1 by default. Larger batches suit Wi-Fi, where making each chunk durable
   * would limit the speed.
   */
  readonly chunksAtOnce?: number;
  /** Called once before the first chunk with the current size, which grows during a recording. */
  readonly onStart?: (start: { fileSize: number; stillRecording: boolean }) => void;
  readonly signal?: AbortSignal;
}

/** Credential for a recorder's Wi-Fi service (PROTOCOL.md, section 10), by protocol version of the session. */
export type WifiAccess =
  /** Hex, for `Authorization: Bearer` and the link; valid until the hotspot stops. */
  | { readonly version: 1; readonly token: string }
  /** Hex. Never sent; proving it opens one link. */
  | { readonly version: 2; readonly secret: string };

/** Address and credentials of a recorder's Wi-Fi service (PROTOCOL.md, section 10). */
export type Hotspot = WifiAccess & {
  readonly ssid: string;
  readonly password: string;
  /** `http://192.168.4.1:80` */
  readonly origin: string;
};

export interface WifiNetwork {
  readonly ssid: string;
  /** dBm. */
  readonly rssi: number;
  readonly isSecured: boolean;
}

/** Published firmware, signed over model, version and content. */
export interface FirmwareImage {
  readonly bytes: Uint8Array;
  /** CRC-16 of the bytes, initial value 0xFFFF. */
  readonly crc16: number;
  /** Numbers separated by dots, at most 12 characters. */
  readonly version: string;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

export interface UpdateOptions {
  /** Percent, 0 to 99. The recorder confirms the update after its restart. */
  readonly onProgress?: (percent: number) => void;
  readonly signal?: AbortSignal;
}

/** The recorder's size and hash of a completely read session. */
export interface SessionDigest {
  readonly fileSize: number;
  /** SHA-256 of the session's bytes, 32 bytes. The caller compares it with the stored chunks. */
  readonly sha256: Uint8Array;
}

/** An open session with one recorder. Methods reject with `DeviceError`. */
export interface RecorderSession {
  readonly info: RecorderInfo;
  readonly kind: TransportKind;
  readonly deviceId: string;

  status(): Promise<RecorderStatus>;
  /** `startTime` in seconds since 1970-01-01 UTC. */
  startRecording(request: {
    mode: RecordMode;
    scene: RecordScene;
  }): Promise<{ sessionId: number; startTime: number }>;
  stopRecording(): Promise<{ sessionId: number; fileSize: number }>;
  /** Pauses the recording; audio is not recorded until it is resumed. `elapsedMs` is the recorded audio so far. */
  pauseRecording(): Promise<{ sessionId: number; elapsedMs: number }>;
  restoreRecording(): Promise<{ sessionId: number; elapsedMs: number }>;
  serial(): Promise<string>;
  battery(): Promise<RecorderStatus['battery']>;
  storage(): Promise<RecorderStorage>;
  set(settings: RecorderSettings): Promise<void>;
  /** Whether the LED is on while recording. */
  light(): Promise<boolean>;
  setLight(isOn: boolean): Promise<void>;
  /**
   * Starts the hotspot once the sessions are ready to read. A recorder that cannot run both radios closes this link.
   * @param sessionIds at most seven; empty for sessions chosen later
   */
  openHotspot(sessionIds: readonly number[]): Promise<Hotspot>;
  /** Stops the hotspot and leaves any joined network. */
  closeWifi(): Promise<void>;
  /** Networks in range of the recorder, strongest first. */
  searchNetworks(): Promise<readonly WifiNetwork[]>;
  /** Makes the recorder join a network; `wifi_changed` reports the result. Each text has up to 33 bytes. */
  joinNetwork(network: { ssid: string; password: string }): Promise<WifiAccess>;
  /** Resets the hotspot's password to the last eight characters of the serial number. */
  resetHotspotPassword(): Promise<void>;
  usage(): Promise<RecorderUsage>;
  /** The recorder's operation log, oldest first. */
  operations(): Promise<readonly RecorderOperation[]>;
  /** All sessions, oldest first, including one in progress. */
  listSessions(): Promise<readonly SessionItem[]>;
  /**
   * Reads a session from a chunk. A session in progress is followed until it ends. Only one session can be
   * read at a time; other commands remain available.
   */
  readSession(
    sessionId: number,
    fromChunk: number,
    options: ReadSessionOptions,
  ): Promise<SessionDigest>;
  /**
   * Sends new firmware, resuming an earlier transfer of the same image. Resolves when the recorder is about to
   * restart; the result is reported on the next link (`firmware_changed`).
   * @throws FirmwareError when the recorder rejects the firmware
   */
  updateFirmware(image: FirmwareImage, options?: UpdateOptions): Promise<void>;
  /** Deletes a session on the recorder. Fails with `session_unknown` if it does not exist. */
  deleteSession(sessionId: number): Promise<void>;
  /**
   * Binds, and waits until the owner confirms on the recorder. Under version 1, binding a bound recorder
   * succeeds; the server checks the owner. Version 2 requires a session opened with `binding: 'new'` status, and
   * nothing changes on the recorder before {@link claim}.
   * @throws DeviceError `bind_refused` without confirmation, `busy` while recording
   */
  bind(options?: BindOptions): Promise<Binding>;
  /** Assigns the recorder to an account, with the key of {@link bind}. Version 2 only. @param ownerTag 16 bytes */
  claim(ownerTag: Uint8Array): Promise<void>;
  /**
   * Returns the recorder's signature that it is bound, or about to be bound, by this account. Version 2 only, between
   * {@link bind} and {@link claim}, or for the account that has claimed the recorder.
   * @param ownerTag 16 bytes, as for {@link claim} @param challenge 32 bytes from the account's server
   * @returns an Ed25519 signature, 64 bytes
   * @throws DeviceError `command_unknown` for a recorder without a device key
   */
  attest(ownerTag: Uint8Array, challenge: Uint8Array): Promise<Uint8Array>;
  unbind(): Promise<void>;

  /** The first listener immediately receives events from before it was added. */
  onEvent(listener: (event: RecorderEvent) => void): Unsubscribe;
  /** Called once when the link is closed, also after `close()`. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  close(): Promise<void>;
}

/** Options for binding. */
export interface BindOptions {
  /** The account's existing key of this recorder. If the recorder accepts it, no confirmation is needed. */
  readonly knownKey?: Uint8Array;
  readonly signal?: AbortSignal;
}

/** The result of a bind. Under version 2 it contains the key, 32 bytes, that opens every later session. */
export type Binding = { readonly version: 1 } | { readonly version: 2; readonly key: Uint8Array };

/** Session options; the defaults suit production. */
export interface OpenSessionOptions {
  readonly clock?: Clock;
  /**
   * A key of version 2, which makes that version mandatory; or `new` to bind under the highest common
   * version. Without it, version 1.
   */
  readonly binding?:
    | { readonly status: 'bound'; readonly key: Uint8Array }
    | { readonly status: 'new' };
  /** 16 ASCII characters. Version 1 has one fixed token. */
  readonly token?: string;
  /** Minutes east of UTC; the system's time zone by default. */
  readonly timeZoneMinutes?: number;
  readonly signal?: AbortSignal;
}
