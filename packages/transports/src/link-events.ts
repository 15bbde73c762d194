/** The behavior shared by all links: buffers early bytes, closes only once, and rejects writes once closed. */
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

  /** Why the link closed; null while it's open. */
  get closeReason(): CloseReason | null {
    return this.state.status === 'closed' ? this.state.reason : null;
  }

  emitBytes(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    if (this.bytes.size === 0) this.buffered.push(bytes);
    this.bytes.emit(bytes);
  }

  /** Marks the link as closed and notifies the listeners. Only the first call has an effect. */
  emitClosed(reason: CloseReason): void {
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

  /**
   * Checks that the bytes can be written.
   * @throws {TransportError} `closed`, `link_lost`, or `write_failed` if the write exceeds the maximum size
   */
  checkWritable(transport: Transport, bytes: Uint8Array): void {
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
