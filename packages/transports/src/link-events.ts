/** What every adapter does alike: keep early bytes, close once, refuse writes on a dead link. */
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
  private early: Uint8Array[] = [];
  private readonly byteListeners = new Set<(bytes: Uint8Array) => void>();
  private readonly closeListeners = new Set<(reason: CloseReason) => void>();

  get isOpen(): boolean {
    return this.state.status === 'open';
  }

  received(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    if (this.byteListeners.size === 0) this.early.push(bytes);
    for (const listener of [...this.byteListeners]) listener(bytes);
  }

  /** Only the first call counts. */
  closed(reason: CloseReason): void {
    if (!this.isOpen) return;
    this.state = { status: 'closed', reason };
    for (const listener of [...this.closeListeners]) listener(reason);
    this.closeListeners.clear();
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    this.byteListeners.add(listener);
    for (const bytes of this.early.splice(0)) listener(bytes);
    return () => this.byteListeners.delete(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    if (this.state.status === 'closed') {
      const { reason } = this.state;
      queueMicrotask(() => listener(reason));
      return () => undefined;
    }
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  /** @throws {TransportError} `closed`, `link_lost`, or `write_failed` for a write that is too long */
  mustTake(transport: Transport, bytes: Uint8Array): void {
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
