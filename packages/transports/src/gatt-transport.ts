/** What GATT links have in common, whoever's radio carries them: writes one after another, and one end. */
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
  /** The system refuses a GATT operation while another is under way. */
  private readonly writes = new Mutex();

  constructor({ deviceId, name }: GattDevice, events: LinkEvents) {
    this.deviceId = deviceId;
    this.name = name;
    this.events = events;
    this.ended = new Promise((resolve) => events.onClosed(resolve));
  }

  async write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void> {
    this.events.mustTake(this, bytes);
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
    await this.hangUp();
  }

  /** Hands bytes to the radio; resolves when it has them, or rejects with whatever it says. */
  protected abstract carry(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void>;

  /** What a failed write means on a link that still seems to be open. */
  protected abstract writeFailure(error: unknown): TransportError;

  protected abstract hangUp(): void | Promise<void>;

  private async writeNow(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    this.events.mustTake(this, bytes);
    try {
      // A write that meets the end of the link may wait for its time-out, or for ever.
      await Promise.race([this.carry(bytes, withResponse), this.ended]);
    } catch (error) {
      this.events.mustTake(this, bytes);
      throw this.writeFailure(error);
    }
    this.events.mustTake(this, bytes);
  }
}
