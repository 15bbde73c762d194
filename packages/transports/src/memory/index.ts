/** Implements both ends of a link in one process, for tests. */
import { MAX_WRITE_SIZE } from '@linnet/device/codec';
import type { CloseReason, Transport, Unsubscribe } from '@linnet/device/transport';
import { LinkEvents } from '../link-events.ts';

/** The recorder's end of a link. */
export interface MemoryPeripheral {
  /** Calls the listener for each write by the phone. Writes are buffered until the first listener is added. */
  onWrite(listener: (bytes: Uint8Array) => void): Unsubscribe;
  /** Sends bytes to the phone, in order. Like a radio, does nothing once the link is closed. */
  notify(bytes: Uint8Array): void;
  onClosed(listener: () => void): Unsubscribe;
  /** Breaks the link. */
  drop(): void;
}

class MemoryTransport implements Transport {
  readonly kind = 'memory';
  readonly deviceId: string;
  readonly name: string;
  readonly maxWriteSize: number;
  private readonly phoneEvents: LinkEvents;
  private readonly recorderEvents: LinkEvents;

  constructor(
    name: string,
    maxWriteSize: number,
    phoneEvents: LinkEvents,
    recorderEvents: LinkEvents,
  ) {
    this.deviceId = name;
    this.name = name;
    this.maxWriteSize = maxWriteSize;
    this.phoneEvents = phoneEvents;
    this.recorderEvents = recorderEvents;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.phoneEvents.checkWritable(this, bytes);
    const copy = bytes.slice();
    queueMicrotask(() => this.recorderEvents.emitBytes(copy));
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    return this.phoneEvents.onBytes(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.phoneEvents.onClosed(listener);
  }

  async close(): Promise<void> {
    this.phoneEvents.emitClosed('closed_by_us');
    this.recorderEvents.emitClosed('link_lost');
  }
}

/** Creates a link. @param options.maxWriteSize the maximum write size, from 20 to 512 bytes */
export function createMemoryLink(options: { name?: string; maxWriteSize?: number } = {}): {
  transport: Transport;
  peripheral: MemoryPeripheral;
} {
  const phoneEvents = new LinkEvents();
  const recorderEvents = new LinkEvents();
  const { name = 'memory', maxWriteSize = MAX_WRITE_SIZE } = options;
  return {
    transport: new MemoryTransport(name, maxWriteSize, phoneEvents, recorderEvents),
    peripheral: {
      onWrite: (listener) => recorderEvents.onBytes(listener),
      notify: (bytes) => {
        const copy = bytes.slice();
        queueMicrotask(() => phoneEvents.emitBytes(copy));
      },
      onClosed: (listener) => recorderEvents.onClosed(() => listener()),
      drop: () => {
        phoneEvents.emitClosed('link_lost');
        recorderEvents.emitClosed('link_lost');
      },
    },
  };
}
