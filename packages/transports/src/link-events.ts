/** Behavior that all adapters share: buffer early bytes, close once, reject writes on a closed link. */
import { Emitter } from '@linnet/base';
import {
  type CloseReason,
  type Transport,
  TransportError,
  type Unsubscribe,
} from '@linnet/device/transport';

type State =
  | { readonly status: 'open' }
  | { readonly status: 'closed'; readonly reason: CloseReason };

export class LinkEvents {
  private state: State = { status: 'open' };
  private buffered: Uint8Array[] = [];
  private readonly bytes = new Emitter<[bytes: Uint8Array]>();
  private readonly closeEvents = new Emitter<[reason: CloseReason]>();

  get isOpen(): boolean {
    return this.state.status === 'open';
  }

  received(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    if (this.bytes.size === 0) this.buffered.push(bytes);
    this.bytes.emit(bytes);
  }

  /** Only the first call has an effect. */
  closed(reason: CloseReason): void {
    if (!this.isOpen) return;
    this.state = { status: 'closed', reason };
    this.closeEvents.emit(reason);
    this.closeEvents.clear();
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    const unsubscribe = this.bytes.subscribe(listener);
    for (const bytes of this.buffered.splice(0)) listener(bytes);
    return unsubscribe;
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    if (this.state.status === 'closed') {
      const { reason } = this.state;
      queueMicrotask(() => listener(reason));
      return () => undefined;
    }
    return this.closeEvents.subscribe(listener);
  }

  /** @throws {TransportError} `closed`, `link_lost`, or `write_failed` for a write beyond the maximum size */
  assertWritable(transport: Transport, bytes: Uint8Array): void {
    if (this.state.status === 'closed') {
      throw new TransportError(this.state.reason === 'closed_by_us' ? 'closed' : 'link_lost');
    }
    if (bytes.length > transport.maxWriteSize) {
      throw new TransportError('write_failed', {
        cause: new RangeError(`${bytes.length} bytes exceed ${transport.maxWriteSize}`),
      });
    }
  }
}
