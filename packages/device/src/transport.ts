/**
 * The transport port: the radio interface that this package requires. A transport carries
 * bytes in order and has no notion of frames. Adapters live in `@linnet/transports`.
 */
import type { ExtendInfo } from './codec/index.ts';
import { TransportError } from './errors.ts';

export { TRANSPORT_ERROR_CODES, TransportError, type TransportErrorCode } from './errors.ts';

/** Kind of transport. Stored with a remembered recorder, so that the same adapter reopens it. */
export type TransportKind = 'web-bluetooth' | 'capacitor-ble' | 'websocket' | 'wifi' | 'memory';

/** Reason a link closed. `link_lost` covers range, power and a disconnect by the recorder. */
export type CloseReason = 'closed_by_us' | 'link_lost' | 'radio_off';

/** Cancels a subscription. Idempotent. */
export type Unsubscribe = () => void;

/** An open link to one recorder. Opened by a {@link RecorderFinder}; does not reconnect. */
export interface Transport {
  readonly kind: TransportKind;
  /** The adapter's id of the recorder; stable enough to be stored. */
  readonly deviceId: string;
  /** The advertised name, or an empty string if it cannot be read. */
  readonly name: string;
  /** The maximum bytes per `write`, from 20 to 512 (the maximum attribute size). */
  readonly maxWriteSize: number;
  /**
   * Sends bytes in call order. Resolves with `withResponse` when the recorder's radio has
   * confirmed them, otherwise when the system has accepted them.
   * @throws {TransportError} `link_lost`, `closed` or `write_failed`
   */
  write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void>;
  /**
   * Receives bytes, split at arbitrary positions. Bytes received before the first subscription are
   * buffered and passed to it. The array belongs to the callee.
   */
  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe;
  /** Called once. A listener added to a closed link is called in the next microtask. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  /** Closes the link; resolves when it is closed. No effect on a closed link. */
  close(): Promise<void>;
}

/** Advertisement of a recorder. Fields that the web cannot read are absent. */
export interface Advertisement {
  readonly name: string;
  /** Signal strength in dBm. */
  readonly rssi?: number;
  readonly mac?: string;
  readonly sn?: string;
  /** Manufacturer data. */
  readonly extendInfo?: ExtendInfo;
}

/** A discovered recorder. */
export interface RecorderCandidate {
  readonly kind: TransportKind;
  readonly deviceId: string;
  readonly advertisement: Advertisement;
  /** The address of the recorder's control page. Virtual recorders only. */
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

/** Whether an adapter is currently usable. */
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
   * `chooser`: `find` opens the browser's chooser, so it must be called from a tap, and returns
   * the chosen recorder. `list`: `find` returns all recorders in range.
   */
  readonly discovery: 'chooser' | 'list';
  /** Never throws. On phones, requests the permission the first time. */
  availability(): Promise<Availability>;
  /** Remedies for an unavailable adapter; absent if the platform has none. */
  readonly remedies?: readonly Remedy[];
  /**
   * `switch_on` prompts the owner and resolves when the radio is on; the settings remedies resolve when the page
   * opens.
   * @throws {TransportError} `permission_denied` if the owner declines, `unsupported` if it is not in `remedies`
   */
  remedy?(remedy: Remedy): Promise<void>;
  /** Notifies when the radio is turned on or off, on systems that report it. */
  onAvailabilityChange(listener: (availability: Availability) => void): Unsubscribe;
  /**
   * @throws {TransportError} `chooser_cancelled`, `permission_denied`, `not_found`, `radio_off`,
   *   `unsupported`, `insecure_context`, `aborted`
   */
  find(options?: { signal?: AbortSignal }): Promise<readonly RecorderCandidate[]>;
  /**
   * Opens a remembered recorder without a prompt.
   * @throws {TransportError} `chooser_needed` if the browser requires a tap, otherwise as `connect`
   */
  reopen(remembered: RememberedRecorder, options?: { signal?: AbortSignal }): Promise<Transport>;
}

/** Throws `aborted` if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new TransportError('aborted', { cause: signal.reason });
}
