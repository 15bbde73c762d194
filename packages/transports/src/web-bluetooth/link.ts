/// <reference types="web-bluetooth" />
/** One GATT link in the browser. */
import { MAX_WRITE_SIZE, NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import {
  type CloseReason,
  type Transport,
  TransportError,
  throwIfAborted,
  type Unsubscribe,
} from '@linnet/device/transport';
import { HANG_UP_MS } from '../hang-up.ts';
import { LinkEvents } from '../link-events.ts';
import { translate } from './errors.ts';

/** Longer than a phone's own attempt (Android gives up after 30 s), shorter than patience. */
const CONNECT_TIMEOUT_MS = 20_000;

/** When each device was last hung up, by `performance.now()`. */
const hungUpAt = new WeakMap<BluetoothDevice, number>();

function hangUp(device: BluetoothDevice): void {
  hungUpAt.set(device, performance.now());
  device.gatt?.disconnect();
}

async function untilHungUp(device: BluetoothDevice): Promise<void> {
  const wait = (hungUpAt.get(device) ?? -HANG_UP_MS) + HANG_UP_MS - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

class WebBluetoothTransport implements Transport {
  readonly kind = 'web-bluetooth';
  readonly deviceId: string;
  readonly name: string;
  readonly maxWriteSize = MAX_WRITE_SIZE;
  private readonly events: LinkEvents;
  private readonly device: BluetoothDevice;
  private readonly characteristic: BluetoothRemoteGATTCharacteristic;
  private readonly ended: Promise<unknown>;
  /** The browser refuses a GATT operation while another is under way. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    device: BluetoothDevice,
    characteristic: BluetoothRemoteGATTCharacteristic,
    events: LinkEvents,
  ) {
    this.deviceId = device.id;
    this.name = device.name ?? '';
    this.device = device;
    this.characteristic = characteristic;
    this.events = events;
    this.ended = new Promise((resolve) => events.onClosed(resolve));
  }

  async write(bytes: Uint8Array, options: { withResponse: boolean }): Promise<void> {
    this.events.mustTake(this, bytes);
    const copy = bytes.slice();
    const written = this.turn.then(() => this.writeNow(copy, options.withResponse));
    // The next write waits for this one's end, whichever it is; its caller hears of the failure.
    this.turn = written.catch(() => undefined);
    await written;
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
    hangUp(this.device);
  }

  private async writeNow(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    this.events.mustTake(this, bytes);
    const { characteristic } = this;
    try {
      const write = withResponse
        ? characteristic.writeValueWithResponse(bytes)
        : characteristic.writeValueWithoutResponse(bytes);
      // Chromium may leave a write that meets the end of the link without an answer for ever.
      await Promise.race([write, this.ended]);
      this.events.mustTake(this, bytes);
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (!this.device.gatt?.connected) throw new TransportError('link_lost', { cause: error });
      throw translate('write', error);
    }
  }
}

/** Rejects with `aborted` or `connect_failed` when the signal or the time says so. */
async function connectGatt(
  device: BluetoothDevice,
  server: BluetoothRemoteGATTServer,
  signal: AbortSignal | undefined,
): Promise<void> {
  await untilHungUp(device);
  throwIfAborted(signal);
  const called = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => called.reject(new TransportError('connect_failed')),
    CONNECT_TIMEOUT_MS,
  );
  const onAbort = () => called.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  try {
    await Promise.race([server.connect(), called.promise]);
  } catch (error) {
    hangUp(device);
    throw translate('connect', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Connects, finds our service and subscribes.
 * @throws {TransportError} `connect_failed`, `not_a_recorder`, `not_found`, `permission_denied`,
 *   `link_lost`, `aborted`
 */
export async function openGatt(
  device: BluetoothDevice,
  signal: AbortSignal | undefined,
): Promise<Transport> {
  const server = device.gatt;
  if (!server) throw new TransportError('permission_denied');
  const events = new LinkEvents();
  await connectGatt(device, server, signal);
  device.addEventListener('gattserverdisconnected', () => events.closed('link_lost'), {
    once: true,
  });
  try {
    const service = await server.getPrimaryService(SERVICE_UUID);
    const writer = await service.getCharacteristic(WRITE_UUID);
    const notifier = await service.getCharacteristic(NOTIFY_UUID);
    notifier.addEventListener('characteristicvaluechanged', () => {
      const { value } = notifier;
      if (!value) return;
      events.received(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice());
    });
    await notifier.startNotifications();
    throwIfAborted(signal);
    return new WebBluetoothTransport(device, writer, events);
  } catch (error) {
    hangUp(device);
    throw translate('services', error);
  }
}
