/** The base class for all GATT links. Serializes writes, and settles pending writes when the link closes. */
import { Mutex } from '@linnet/base';
import type {
  CloseReason,
  Transport,
  TransportError,
  TransportKind,
  Unsubscribe,
} from '@linnet/device/transport';
import type { LinkEvents } from './link-events.ts';

/** A recorder at the other end of a GATT link. */
export type GattDevice = { readonly deviceId: string; readonly name: string };

export abstract class GattTransport implements Transport {
  abstract readonly kind: TransportKind;
  abstract readonly maxWriteSize: number;
  readonly deviceId: string;
  readonly name: string;
  private readonly events: LinkEvents;
  private readonly closePromise: Promise<unknown>;
  /** Serializes writes, because the system rejects a GATT operation while another is in progress. */
  private readonly writes = new Mutex();

  constructor({ deviceId, name }: GattDevice, events: LinkEvents) {
    this.deviceId = deviceId;
    this.name = name;
    this.events = events;
    this.closePromise = new Promise((resolve) => events.onClosed(resolve));
  }

  async write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void> {
    this.events.checkWritable(this, bytes);
    const copy = bytes.slice();
    await this.writes.run(() => this.writeNow(copy, options.withResponse));
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    return this.events.onBytes(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.events.onClosed(listener);
  }

  async close(): Promise<void> {
    if (!this.events.isOpen) return;
    this.events.emitClosed('closed_by_us');
    await this.closeLink();
  }

  /** Passes bytes to the radio. Resolves once the radio has accepted them, or rejects with its error. */
  protected abstract writeToRadio(
    bytes: Uint8Array<ArrayBuffer>,
    withResponse: boolean,
  ): Promise<void>;

  /** Converts the error from a write that failed although the link still seems to be open. */
  protected abstract toWriteError(error: unknown): TransportError;

  protected abstract closeLink(): void | Promise<void>;

  private async writeNow(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    this.events.checkWritable(this, bytes);
    try {
      // If the link is lost during a write, the write may settle only after a timeout, or never.
      await Promise.race([this.writeToRadio(bytes, withResponse), this.closePromise]);
    } catch (error) {
      this.events.checkWritable(this, bytes);
      throw this.toWriteError(error);
    }
    this.events.checkWritable(this, bytes);
  }
}
