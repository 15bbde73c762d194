/**
 * The transport port: what this package needs from a radio, and nothing more. A transport carries
 * bytes in order; it knows nothing of frames. Adapters live in `@linnet/transports`.
 */
import type { ExtendInfo } from './codec/index.ts';
import { TransportError } from './errors.ts';

export { TRANSPORT_ERROR_CODES, TransportError, type TransportErrorCode } from './errors.ts';

/** How a link travels. Remembered with a recorder, so that the same adapter reopens it. */
export type TransportKind = 'web-bluetooth' | 'capacitor-ble' | 'websocket' | 'wifi' | 'memory';

/** Reason a link closed. `link_lost` covers range, power and a disconnect by the recorder. */
export type CloseReason = 'closed_by_us' | 'link_lost' | 'radio_off';

/** Cancels a subscription. Idempotent. */
export type Unsubscribe = () => void;

/** One open link to one recorder. Opened by a {@link RecorderFinder}; never reopens itself. */
export interface Transport {
  readonly kind: TransportKind;
  /** The adapter's own id of the recorder; stable enough to be remembered. */
  readonly deviceId: string;
  /** The name the recorder advertises, or an empty string where it cannot be read. */
  readonly name: string;
  /** Maximum bytes per `write`. At least 20, at most 512 (the limit of an attribute). */
  readonly maxWriteSize: number;
  /**
   * Sends bytes in the order of the calls. `withResponse` resolves when the recorder's radio has
   * confirmed them, otherwise when the system has taken them.
   * @throws {TransportError} `link_lost`, `closed` or `write_failed`
   */
  write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void>;
  /**
   * Bytes as they arrive, split in any way. Bytes that arrive before the first subscription are
   * kept and handed to it. The array belongs to the callee.
   */
  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe;
  /** Called once. A listener added after the link closed is called in the next microtask. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  /** Closes the link; resolves when it is closed. Harmless on a closed link. */
  close(): Promise<void>;
}

/** Advertisement of a recorder. Unreadable parts are absent on the web. */
export interface Advertisement {
  readonly name: string;
  /** Signal strength in dBm. */
  readonly rssi?: number;
  readonly mac?: string;
  readonly sn?: string;
  /** Its manufacturer data. */
  readonly extendInfo?: ExtendInfo;
}

/** Discovered recorder. */
export interface RecorderCandidate {
  readonly kind: TransportKind;
  readonly deviceId: string;
  readonly advertisement: Advertisement;
  /** Address of a page with the recorder's buttons. Only a virtual recorder has one. */
  readonly controls?: string;
  /**
   * @throws {TransportError} `connect_failed`, `recorder_busy`, `not_a_recorder`, `not_found`,
   *   `radio_off`, `aborted`
   */
  connect(options?: { signal?: AbortSignal }): Promise<Transport>;
}

/** Data for reopening a link to a known recorder. Plain JSON. */
export interface RememberedRecorder {
  readonly kind: TransportKind;
  readonly deviceId: string;
  readonly name: string;
}

/** Whether an adapter can be used here and now. */
export type Availability =
  | { readonly status: 'ready' }
  | {
      readonly status: 'unavailable';
      readonly code:
        | 'unsupported'
        | 'insecure_context'
        | 'radio_off'
        | 'permission_denied'
        | 'not_found';
    };

/** Actions available when the radio is off or a permission was denied. */
export type Remedy = 'switch_on' | 'bluetooth_settings' | 'app_settings';

/** Finds recorders and opens links. */
export interface RecorderFinder {
  readonly kind: TransportKind;
  /**
   * `chooser`: `find` opens the browser's own chooser, so it must be called from a tap, and returns
   * the one recorder that was chosen. `list`: `find` returns all there are.
   */
  readonly discovery: 'chooser' | 'list';
  /** Never throws. On phones, this asks for the permission when it was never asked for. */
  availability(): Promise<Availability>;
  /** Remedies for an unavailable adapter; absent if the platform has none. */
  readonly remedies?: readonly Remedy[];
  /**
   * `switch_on` asks the owner and resolves when the radio is on; the settings resolve when they open.
   * @throws {TransportError} `permission_denied` when the owner declined, `unsupported` when it is not among
   *   `remedies`
   */
  remedy?(remedy: Remedy): Promise<void>;
  /** Notifies of the radio being switched on or off, on systems that report it. */
  onAvailabilityChange(listener: (availability: Availability) => void): Unsubscribe;
  /**
   * @throws {TransportError} `chooser_cancelled`, `permission_denied`, `not_found`, `radio_off`,
   *   `unsupported`, `insecure_context`, `aborted`
   */
  find(options?: { signal?: AbortSignal }): Promise<readonly RecorderCandidate[]>;
  /**
   * Opens a remembered recorder without asking anybody.
   * @throws {TransportError} `chooser_needed` where the browser wants a tap first, else as `connect`
   */
  reopen(remembered: RememberedRecorder, options?: { signal?: AbortSignal }): Promise<Transport>;
}

/** Throws `aborted` if the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new TransportError('aborted', { cause: signal.reason });
}
