/// <reference types="web-bluetooth" />
/** One GATT link in the browser. */
import { MAX_WRITE_SIZE, NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import { type Transport, TransportError, throwIfAborted } from '@linnet/device/transport';
import { DISCONNECT_SETTLE_MS } from '../disconnect-settle.ts';
import { GattTransport } from '../gatt-transport.ts';
import { LinkEvents } from '../link-events.ts';
import { translate } from './errors.ts';

/** Longer than a slow connection takes, but acceptable for a waiting user. Android's own timeout is 30 s. */
const CONNECT_TIMEOUT_MS = 20_000;

/** The time of the last disconnect of each device, by `performance.now()`. */
const disconnectedAt = new WeakMap<BluetoothDevice, number>();

function closeLink(device: BluetoothDevice): void {
  disconnectedAt.set(device, performance.now());
  device.gatt?.disconnect();
}

async function untilSettled(device: BluetoothDevice): Promise<void> {
  const wait =
    (disconnectedAt.get(device) ?? -DISCONNECT_SETTLE_MS) +
    DISCONNECT_SETTLE_MS -
    performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

class WebBluetoothTransport extends GattTransport {
  readonly kind = 'web-bluetooth';
  readonly maxWriteSize = MAX_WRITE_SIZE;
  private readonly device: BluetoothDevice;
  private readonly characteristic: BluetoothRemoteGATTCharacteristic;

  constructor(
    device: BluetoothDevice,
    characteristic: BluetoothRemoteGATTCharacteristic,
    events: LinkEvents,
  ) {
    super({ deviceId: device.id, name: device.name ?? '' }, events);
    this.device = device;
    this.characteristic = characteristic;
  }

  protected carry(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    return withResponse
      ? this.characteristic.writeValueWithResponse(bytes)
      : this.characteristic.writeValueWithoutResponse(bytes);
  }

  protected writeFailure(error: unknown): TransportError {
    if (!this.device.gatt?.connected) return new TransportError('link_lost', { cause: error });
    return translate('write', error);
  }

  protected closeLink(): void {
    closeLink(this.device);
  }
}

/** Rejects with `aborted` on the signal, and with `connect_failed` on timeout. */
async function connectGatt(
  device: BluetoothDevice,
  server: BluetoothRemoteGATTServer,
  signal: AbortSignal | undefined,
): Promise<void> {
  await untilSettled(device);
  throwIfAborted(signal);
  const canceled = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => canceled.reject(new TransportError('connect_failed')),
    CONNECT_TIMEOUT_MS,
  );
  const onAbort = () => canceled.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  try {
    await Promise.race([server.connect(), canceled.promise]);
  } catch (error) {
    closeLink(device);
    throw translate('connect', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Connects, discovers the recorder service and subscribes to its notifications.
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
    closeLink(device);
    throw translate('services', error);
  }
}
