/**
 * The radio interface for recorders from other manufacturers: a link for reading, writing and subscribing to their
 * characteristics. The implementations are in `@linnet/transports`.
 */
import type { CloseReason, RememberedRecorder, Unsubscribe } from './transport.ts';

/** The services of one manufacturer's recorders, as lowercase 128-bit UUIDs. */
export type GattProfile = {
  /** The service that such a recorder advertises. */
  readonly service: string;
  /** Other services that the app uses if the recorder has them. Browsers grant access only to listed services. */
  readonly optionalServices: readonly string[];
};

/** The address of a characteristic. */
export type GattCharacteristic = { readonly service: string; readonly characteristic: string };

/** An open link to one recorder. Doesn't reconnect. Operations run one after another. */
export interface GattLink {
  /** The adapter's ID for the recorder, stable enough to be stored. */
  readonly deviceId: string;
  /** The advertised name, or an empty string if it can't be read. */
  readonly name: string;
  /**
   * Returns whether the recorder has a service.
   * @throws {TransportError} `link_lost`, `closed`
   */
  has(service: string): Promise<boolean>;
  /** @throws {TransportError} `not_a_recorder` if the characteristic is missing, `link_lost`, `closed` */
  read(at: GattCharacteristic): Promise<Uint8Array>;
  /** Resolves once the recorder has confirmed the bytes. @throws {TransportError} as for `read`, or `write_failed` */
  write(at: GattCharacteristic, bytes: Uint8Array): Promise<void>;
  /**
   * Calls the listener with each notification until the link closes. The listener may keep the array.
   * @returns a function that ends the notifications
   * @throws {TransportError} as for `read`
   */
  subscribe(
    at: GattCharacteristic,
    listener: (bytes: Uint8Array) => void,
  ): Promise<() => Promise<void>>;
  /** Calls the listener once when the link closes, or in the next microtask if it's already closed. */
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  /** Resolves once the link is closed. Has no effect on a closed link. */
  close(): Promise<void>;
}

/** Opens links to recorders from other manufacturers. */
export interface GattFinder {
  /**
   * Opens a link to a recorder that was found or opened before, without a prompt.
   * @throws {TransportError} `chooser_needed` if the browser requires a tap, or as for `connect` of a recorder
   */
  openGatt(remembered: RememberedRecorder, options?: { signal?: AbortSignal }): Promise<GattLink>;
}
