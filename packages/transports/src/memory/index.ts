/** Both ends of a link in one process: the transport and the recorder's end. */
import { MAX_WRITE_SIZE } from '@linnet/device/codec';
import type { CloseReason, Transport, Unsubscribe } from '@linnet/device/transport';
import { LinkEvents } from '../link-events.ts';

/** The recorder's end. */
export interface MemoryPeripheral {
  /** One call for each write of the phone; writes before the first listener are buffered. */
  onWrite(listener: (bytes: Uint8Array) => void): Unsubscribe;
  /** Sends bytes to the phone, in order. Ignored once the link is closed, as by a radio. */
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
  private readonly central: LinkEvents;
  private readonly recorder: LinkEvents;

  constructor(name: string, maxWriteSize: number, central: LinkEvents, recorder: LinkEvents) {
    this.deviceId = name;
    this.name = name;
    this.maxWriteSize = maxWriteSize;
    this.central = central;
    this.recorder = recorder;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.central.assertWritable(this, bytes);
    const copy = bytes.slice();
    queueMicrotask(() => this.recorder.received(copy));
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    return this.central.onBytes(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.central.onClosed(listener);
  }

  async close(): Promise<void> {
    this.central.closed('closed_by_us');
    this.recorder.closed('link_lost');
  }
}

/** @param options.maxWriteSize bytes of one write, 20 to 512 */
export function createMemoryLink(options: { name?: string; maxWriteSize?: number } = {}): {
  transport: Transport;
  peripheral: MemoryPeripheral;
} {
  const central = new LinkEvents();
  const recorder = new LinkEvents();
  const { name = 'memory', maxWriteSize = MAX_WRITE_SIZE } = options;
  return {
    transport: new MemoryTransport(name, maxWriteSize, central, recorder),
    peripheral: {
      onWrite: (listener) => recorder.onBytes(listener),
      notify: (bytes) => {
        const copy = bytes.slice();
        queueMicrotask(() => central.received(copy));
      },
      onClosed: (listener) => recorder.onClosed(() => listener()),
      drop: () => {
        central.closed('link_lost');
        recorder.closed('link_lost');
      },
    },
  };
}
