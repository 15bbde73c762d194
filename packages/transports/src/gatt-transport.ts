/**
 * The base class for GATT links to recorders with the Linnet protocol. Serializes writes, and settles pending writes when
 * the link closes.
 */
import { Mutex } from '@linnet/base';
import type {
  Transport,
  TransportError,
  TransportKind,
  Unsubscribe,
} from '@linnet/device/transport';
import { GattConnection } from './gatt-connection.ts';

export abstract class GattTransport extends GattConnection implements Transport {
  abstract readonly kind: TransportKind;
  abstract readonly maxWriteSize: number;
  /** Serializes writes, because the system rejects a GATT operation while another is in progress. */
  private readonly writes = new Mutex();

  async write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void> {
    this.events.checkWritable(this, bytes);
    const copy = bytes.slice();
    await this.writes.run(() => this.writeNow(copy, options.withResponse));
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    return this.events.onBytes(listener);
  }

  /** Passes bytes to the radio. Resolves once the radio has accepted them, or rejects with its error. */
  protected abstract writeToRadio(
    bytes: Uint8Array<ArrayBuffer>,
    withResponse: boolean,
  ): Promise<void>;

  /** Converts the error from a write that failed although the link still seems to be open. */
  protected abstract toWriteError(error: unknown): TransportError;

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
