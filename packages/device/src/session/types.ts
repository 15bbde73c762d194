/**
 * A session with one recorder: the typed face of the protocol. Everything the app and the
 * synchronisation know about a recorder they know through these types.
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
/** What is being recorded. */
export type RecordScene = 'call' | 'meeting' | 'note';
/** `unavailable` stands for every state in which recording can neither start nor stop. */
export type RecordingState = 'idle' | 'recording' | 'unavailable';

/** Recorder information from the handshake. */
export interface RecorderInfo {
  /** Serial number. */
  readonly sn: string;
  readonly projectCode: string;
  readonly firmwareVersion: string;
  /** `AA:BB:CC:DD:EE:FF` */
  readonly mac: string;
  /** Whether it is bound. The server knows the owner. */
  readonly isBind: boolean;
  /** The protocol version both sides agreed on. */
  readonly protocolVersion: number;
  /** Highest version the recorder supports. */
  readonly tranVersion: number;
  /** Bytes one notification carries over this link. */
  readonly payloadSize: number;
}

/** What fills the recorder: bytes (the wire carries KiB); `useRate` in percent. */
export interface RecorderStorage {
  readonly totalSpace: number;
  readonly free: number;
  readonly useRate: number;
  readonly isFull: boolean;
}

/** Recorder settings, written together and effective from the next recording. */
export interface RecorderSettings {
  /** Whether the light is on while recording. */
  readonly recLedStatus: boolean;
  /** What the recorder's own button records, and how. */
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
  /** Of sound that phones acknowledged. */
  readonly transferredBytes: number;
  /** Awake. */
  readonly poweredSeconds: number;
  readonly starts: number;
  readonly charges: number;
}

/** One of the recorder's notes of what was done with it; no sound and no names are in it. */
export interface RecorderOperation {
  /** Counts up, never given twice. */
  readonly entry: number;
  /** Seconds since 1970-01-01 UTC, by the recorder's clock. */
  readonly time: number;
  readonly operation: keyof typeof operation;
  /** Why a recording ended, as the number in `PROTOCOL.md`; else 0. */
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
        /** Of sound: pauses do not count. */
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
  /** Bytes of Opus packets, 160 for every 20 ms; of a session still recording, those so far. */
  readonly fileSize: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly hasMarkers: boolean;
  readonly stillRecording: boolean;
  /** Seconds since 1970-01-01 UTC, by the recorder's clock. */
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
      /** Seconds since 1970-01-01 UTC. */
      readonly startTime: number;
    }
  | {
      readonly type: 'recording_ended';
      readonly sessionId: number;
      readonly fileSize: number;
      readonly durationMs: number;
      /** `none` unless the recorder ended it by itself. */
      readonly because: 'none' | 'space_full' | 'hardware_abnormal' | 'battery_empty';
    }
  | {
      readonly type: 'recording_paused' | 'recording_restored';
      readonly sessionId: number;
      /** Of sound so far. */
      readonly elapsedMs: number;
    }
  /** A session is there that was not, or is whole now. */
  | ({ readonly type: 'session_changed' } & Omit<SessionItem, 'startTime' | 'durationMs'>)
  | ({ readonly type: 'storage_changed' } & RecorderStorage)
  | ({ readonly type: 'settings_changed' } & RecorderSettings)
  | ({ readonly type: 'usage_changed' } & RecorderUsage)
  /** `origin`: where HTTP is served, null where it is not. */
  | {
      readonly type: 'wifi_changed';
      readonly state: 'off' | 'hotspot' | 'joining' | 'joined' | 'failed';
      readonly origin: string | null;
    }
  /** Told once after each update; `version` is what runs. */
  | {
      readonly type: 'firmware_changed';
      readonly status: 'ok' | FirmwareErrorCode;
      readonly version: string;
    }
  | { readonly type: 'bind_changed'; readonly isBind: boolean }
  | { readonly type: 'battery_changed'; readonly charging: boolean; readonly level: number };

/** How to read a session. */
export interface ReadSessionOptions {
  /**
   * Takes one chunk, or some at once (`chunksAtOnce`, HTTP); index 0 is the first of the session. Every chunk has
   * `CHUNK_SIZE` bytes except the last, which is a shorter multiple of 160. They come strictly in order:
   * the next is not handed over before the promise resolves. **Resolve only once the bytes are
   * durable**: the recorder is told so. A rejection stops the transfer and is passed on unchanged.
   */
  readonly onChunk: (index: number, bytes: Uint8Array) => Promise<void>;
  /**
   * The most chunks that are handed over together: those that came while the ones before were made durable. 1 by
   * default; over WiFi more, or making each chunk durable limits the speed.
   */
  readonly chunksAtOnce?: number;
  /** Told once, before the first chunk: the size so far, which grows while it is recorded. */
  readonly onStart?: (start: { fileSize: number; stillRecording: boolean }) => void;
  readonly signal?: AbortSignal;
}

/** Credential of a recorder's WiFi service (PROTOCOL.md, section 10), by the version of the session that asked for it. */
export type WifiAccess =
  /** Hex, for `Authorization: Bearer` and the link; good until the hotspot falls. */
  | { readonly version: 1; readonly token: string }
  /** Hex. It is never sent; the proof of it opens one link. */
  | { readonly version: 2; readonly secret: string };

/** Where a recorder can be reached over WiFi (PROTOCOL.md, section 10). */
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
  /** Of the bytes, initial value 0xFFFF. */
  readonly crc16: number;
  /** Numbers apart by dots, at most 12 characters. */
  readonly version: string;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

export interface UpdateOptions {
  /** Percent, 0 to 99: it is 100 once the recorder says so after its restart. */
  readonly onProgress?: (percent: number) => void;
  readonly signal?: AbortSignal;
}

/** The recorder's word on a session that was read to its end. */
export interface SessionDigest {
  readonly fileSize: number;
  /** SHA-256 over the session's bytes, 32 bytes. Whoever stored the chunks compares. */
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
  /** Holds the recording; what is said meanwhile is not in it. `elapsedMs` of sound so far. */
  pauseRecording(): Promise<{ sessionId: number; elapsedMs: number }>;
  restoreRecording(): Promise<{ sessionId: number; elapsedMs: number }>;
  serial(): Promise<string>;
  battery(): Promise<RecorderStatus['battery']>;
  storage(): Promise<RecorderStorage>;
  set(settings: RecorderSettings): Promise<void>;
  /** Whether the light is on while recording. */
  light(): Promise<boolean>;
  setLight(isOn: boolean): Promise<void>;
  /**
   * Raises the hotspot, once what is to be read is ready; a recorder that cannot do both ends this link.
   * @param sessionIds at most seven; none means whatever is asked for
   */
  openHotspot(sessionIds: readonly number[]): Promise<Hotspot>;
  /** Stops the hotspot and leaves any joined network. */
  closeWifi(): Promise<void>;
  /** Networks in range of the recorder, strongest first. */
  searchNetworks(): Promise<readonly WifiNetwork[]>;
  /** Has the recorder join a network; `wifi_changed` tells whether it did. Up to 33 bytes each. */
  joinNetwork(network: { ssid: string; password: string }): Promise<WifiAccess>;
  /** The hotspot's password is the last eight characters of the serial again. */
  resetHotspotPassword(): Promise<void>;
  usage(): Promise<RecorderUsage>;
  /** The recorder's notes, oldest first. */
  operations(): Promise<readonly RecorderOperation[]>;
  /** All sessions, oldest first; one that is still recording included. */
  listSessions(): Promise<readonly SessionItem[]>;
  /**
   * Reads a session from a chunk on. A session still being recorded is followed until it ends.
   * One at a time; other commands may go on meanwhile.
   */
  readSession(
    sessionId: number,
    fromChunk: number,
    options: ReadSessionOptions,
  ): Promise<SessionDigest>;
  /**
   * Brings new firmware, from where an earlier try of the same ended. Resolves when the recorder is
   * about to restart with it; whether it did, it tells on the next link (`firmware_changed`).
   * @throws FirmwareError when the recorder does not take it
   */
  updateFirmware(image: FirmwareImage, options?: UpdateOptions): Promise<void>;
  /** Deletes a session on the recorder. Deleting one that is gone is `session_unknown`. */
  deleteSession(sessionId: number): Promise<void>;
  /**
   * Binds; waits while the recorder asks its owner to confirm. Under version 1, binding a bound recorder
   * again succeeds: whose it is, the server decides. Under version 2 it wants a session that was opened to
   * bind, and nothing has changed on the recorder before {@link claim}.
   * @throws DeviceError `bind_refused` when nobody confirmed, `busy` while it records
   */
  bind(options?: BindOptions): Promise<Binding>;
  /** Makes the recorder its owner's, with the key of {@link bind}. Version 2 only. @param ownerTag 16 bytes */
  claim(ownerTag: Uint8Array): Promise<void>;
  /**
   * The recorder's signature that it is bound, or about to be, by this account. Version 2 only, between {@link bind}
   * and {@link claim}, or for the account that has claimed the recorder.
   * @param ownerTag 16 bytes, as for {@link claim} @param challenge 32 bytes from the account's server
   * @returns an Ed25519 signature, 64 bytes
   * @throws DeviceError `command_unknown` for a recorder without a device key
   */
  attest(ownerTag: Uint8Array, challenge: Uint8Array): Promise<Uint8Array>;
  unbind(): Promise<void>;

  /** The first listener immediately receives events from before it was added. */
  onEvent(listener: (event: RecorderEvent) => void): Unsubscribe;
  /** Called once when the link is gone, also after `close()`. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  close(): Promise<void>;
}

/** How to bind. */
export interface BindOptions {
  /** The key of this recorder that the account has: where it still holds, nobody is asked. */
  readonly knownKey?: Uint8Array;
  readonly signal?: AbortSignal;
}

/** What a bind gave: under version 2 the key, 32 bytes, that opens every later session. */
export type Binding = { readonly version: 1 } | { readonly version: 2; readonly key: Uint8Array };

/** Session options; the defaults suit production. */
export interface OpenSessionOptions {
  readonly clock?: Clock;
  /**
   * A key of version 2, without which this recorder is not spoken to; or that it is about to be bound, under
   * the highest version that both speak. Without either, version 1.
   */
  readonly binding?:
    | { readonly status: 'bound'; readonly key: Uint8Array }
    | { readonly status: 'new' };
  /** 16 ASCII characters; protocol version 1 has one fixed token. */
  readonly token?: string;
  /** East of Greenwich is positive; default: the system's. */
  readonly timeZoneMinutes?: number;
  readonly signal?: AbortSignal;
}
