/** The base class for links to recorders from other manufacturers. Serializes operations. */
import { Mutex } from '@linnet/base';
import type { GattCharacteristic, GattLink } from '@linnet/device/gatt';
import { TransportError } from '@linnet/device/transport';
import { GattConnection } from './gatt-connection.ts';

function toBytes(value: DataView): Uint8Array {
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
}

export abstract class ForeignLink extends GattConnection implements GattLink {
  /** Serializes operations, because the system rejects a GATT operation while another is in progress. */
  private readonly operations = new Mutex();

  has(service: string): Promise<boolean> {
    return this.run(() => this.findService(service));
  }

  read(at: GattCharacteristic): Promise<Uint8Array> {
    return this.run(async () => toBytes(await this.readValue(at)));
  }

  write(at: GattCharacteristic, bytes: Uint8Array): Promise<void> {
    const copy = new Uint8Array(bytes);
    return this.run(() => this.writeValue(at, copy));
  }

  async subscribe(at: GattCharacteristic, listener: (bytes: Uint8Array) => void) {
    let isEnded = false;
    const stop = await this.run(() =>
      this.startNotifications(at, (value) => {
        if (!isEnded && this.events.isOpen) listener(toBytes(value));
      }),
    );
    return async () => {
      isEnded = true;
      if (this.events.isOpen) await this.run(stop);
    };
  }

  protected abstract findService(service: string): Promise<boolean>;
  protected abstract readValue(at: GattCharacteristic): Promise<DataView>;
  protected abstract writeValue(
    at: GattCharacteristic,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void>;
  /** Starts notifications. @returns a function that stops them */
  protected abstract startNotifications(
    at: GattCharacteristic,
    listener: (value: DataView) => void,
  ): Promise<() => Promise<void>>;
  /** Converts the error of an operation that failed although the link still seems to be open. */
  protected abstract toError(error: unknown): TransportError;

  private run<T>(operation: () => Promise<T>): Promise<T> {
    return this.operations.run(async () => {
      this.throwIfClosed(null);
      try {
        // If the link is lost during an operation, the operation may settle only after a timeout, or never.
        const rejectedOnClose = this.closePromise.then((): never => {
          throw new TransportError('link_lost');
        });
        return await Promise.race([operation(), rejectedOnClose]);
      } catch (error) {
        this.throwIfClosed(error);
        throw error instanceof TransportError ? error : this.toError(error);
      }
    });
  }

  private throwIfClosed(cause: unknown): void {
    if (this.events.isOpen) return;
    throw new TransportError(this.events.closeReason === 'closed_by_us' ? 'closed' : 'link_lost', {
      cause,
    });
  }
}
