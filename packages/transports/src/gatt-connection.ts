/** The base class for all GATT connections: identifies the device and tracks the connection's end. */
import type { CloseReason, Unsubscribe } from '@linnet/device/transport';
import type { LinkEvents } from './link-events.ts';

/** A recorder at the other end of a connection. */
export type GattDevice = { readonly deviceId: string; readonly name: string };

export abstract class GattConnection {
  readonly deviceId: string;
  readonly name: string;
  protected readonly events: LinkEvents;
  /** Settles when the connection closes. */
  protected readonly closePromise: Promise<CloseReason>;

  constructor({ deviceId, name }: GattDevice, events: LinkEvents) {
    this.deviceId = deviceId;
    this.name = name;
    this.events = events;
    this.closePromise = new Promise((resolve) => events.onClosed(resolve));
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.events.onClosed(listener);
  }

  async close(): Promise<void> {
    if (!this.events.isOpen) return;
    this.events.emitClosed('closed_by_us');
    await this.closeLink();
  }

  protected abstract closeLink(): void | Promise<void>;
}
