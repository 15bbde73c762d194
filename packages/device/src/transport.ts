/**
 * The radio interface this package requires. A transport carries bytes in order and knows nothing about frames. The
 * implementations are in `@linnet/transports`.
 */
import type { ExtendInfo } from './codec/index.ts';
import { TransportError } from './errors.ts';

export { TRANSPORT_ERROR_CODES, TransportError, type TransportErrorCode } from './errors.ts';

/** The kind of transport. Stored with a remembered recorder so that the same adapter reopens the link. */
export type TransportKind =
  | 'web-bluetooth'
  | 'capacitor-ble'
  | 'bluez'
  | 'websocket'
  | 'wifi'
  | 'memory';

/** Why a link closed. `link_lost` means that the recorder is out of range, lost power, or disconnected. */
export type CloseReason = 'closed_by_us' | 'link_lost' | 'radio_off';

/** Cancels a subscription. May be called several times. */
export type Unsubscribe = () => void;

/** An open link to one recorder. Opened by a {@link RecorderFinder}. Doesn't reconnect. */
export interface Transport {
  readonly kind: TransportKind;
  /** The adapter's ID for the recorder, stable enough to be stored. */
  readonly deviceId: string;
  /** The advertised name, or an empty string if it can't be read. */
  readonly name: string;
  /** The maximum number of bytes per `write`, from 20 to 512 (the maximum attribute size). */
  readonly maxWriteSize: number;
  /**
   * Sends bytes, in call order. With `withResponse`, resolves once the recorder's radio has confirmed them, otherwise
   * once the system has accepted them.
   * @throws {TransportError} `link_lost`, `closed` or `write_failed`
   */
  write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void>;
  /**
   * Calls the listener with received bytes, which may be split anywhere. Bytes that arrive before the first listener is
   * added are buffered for it. The listener may keep and modify the array.
   */
  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe;
  /** Calls the listener once when the link closes, or in the next microtask if it's already closed. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  /** Resolves once the link is closed. Has no effect on a closed link. */
  close(): Promise<void>;
}

/** A recorder's advertisement. Web browsers can't read the optional fields. */
export interface Advertisement {
  readonly name: string;
  /** The signal strength, in dBm. */
  readonly rssi?: number;
  readonly mac?: string;
  readonly sn?: string;
  /** The decoded manufacturer data. */
  readonly extendInfo?: ExtendInfo;
}

/** A discovered recorder. */
export interface RecorderCandidate {
  readonly kind: TransportKind;
  readonly deviceId: string;
  readonly advertisement: Advertisement;
  /** The address of the recorder's control page. Only virtual recorders have one. */
  readonly controls?: string;
  /**
   * @throws {TransportError} `connect_failed`, `recorder_busy`, `not_a_recorder`, `not_found`,
   *   `radio_off`, `aborted`
   */
  connect(options?: { signal?: AbortSignal }): Promise<Transport>;
}

/** Plain JSON for reopening a link to a known recorder. */
export interface RememberedRecorder {
  readonly kind: TransportKind;
  readonly deviceId: string;
  readonly name: string;
}

/** Whether an adapter can be used right now. */
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

/** An action that helps if the radio is off or permission was denied. */
export type Remedy = 'switch_on' | 'bluetooth_settings' | 'app_settings';

/** Finds recorders and opens links. */
export interface RecorderFinder {
  readonly kind: TransportKind;
  /**
   * How `find` works. With `chooser`, it opens the browser's chooser and returns the chosen recorder, so it must be
   * called in response to a tap. With `list`, it returns all recorders in range.
   */
  readonly discovery: 'chooser' | 'list';
  /** Checks whether the adapter can be used. Never rejects. On phones, asks for permission the first time. */
  availability(): Promise<Availability>;
  /** Remedies the platform offers for an unavailable adapter, if any. */
  readonly remedies?: readonly Remedy[];
  /**
   * Applies a remedy. `switch_on` prompts the user and resolves once the radio is on. The other remedies resolve once
   * the settings page opens.
   * @throws {TransportError} `permission_denied` if the user declines, `unsupported` if `remedies` doesn't include it
   */
  remedy?(remedy: Remedy): Promise<void>;
  /** Calls the listener when the radio is turned on or off, on systems that report this. */
  onAvailabilityChange(listener: (availability: Availability) => void): Unsubscribe;
  /**
   * @throws {TransportError} `chooser_cancelled`, `permission_denied`, `not_found`, `radio_off`,
   *   `unsupported`, `insecure_context`, `aborted`
   */
  find(options?: { signal?: AbortSignal }): Promise<readonly RecorderCandidate[]>;
  /**
   * Finds the recorder at an address. Only finders of software recorders have this method.
   * @param address as typed: a base address, with or without a scheme or the path of its radio
   * @throws {TransportError} `address_not_allowed`, `address_silent`, `aborted`
   */
  findAt?(address: string, options?: { signal?: AbortSignal }): Promise<RecorderCandidate>;
  /**
   * Opens a link to a remembered recorder without a prompt.
   * @throws {TransportError} `chooser_needed` if the browser requires a tap, or as for `connect`
   */
  reopen(remembered: RememberedRecorder, options?: { signal?: AbortSignal }): Promise<Transport>;
}

/** Throws if the signal is aborted. @throws {TransportError} `aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new TransportError('aborted', { cause: signal.reason });
}
