/** Base of all GATT links: serializes writes and ends once. */
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
  private readonly ended: Promise<unknown>;
  /** The system rejects a GATT operation while another is in progress. */
  private readonly writes = new Mutex();

  constructor({ deviceId, name }: GattDevice, events: LinkEvents) {
    this.deviceId = deviceId;
    this.name = name;
    this.events = events;
    this.ended = new Promise((resolve) => events.onClosed(resolve));
  }

  async write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void> {
    this.events.assertWritable(this, bytes);
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
    this.events.closed('closed_by_us');
    await this.closeLink();
  }

  /** Passes bytes to the radio. Resolves when it has accepted them, or rejects with its error. */
  protected abstract carry(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void>;

  /** Translates the error of a failed write on a link that still seems open. */
  protected abstract writeFailure(error: unknown): TransportError;

  protected abstract closeLink(): void | Promise<void>;

  private async writeNow(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    this.events.assertWritable(this, bytes);
    try {
      // A write during the loss of the link may hang until its timeout, or forever.
      await Promise.race([this.carry(bytes, withResponse), this.ended]);
    } catch (error) {
      this.events.assertWritable(this, bytes);
      throw this.writeFailure(error);
    }
    this.events.assertWritable(this, bytes);
  }
}
