/// <reference types="web-bluetooth" />
/** Opens a GATT link in the browser. */
import { MAX_WRITE_SIZE, NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import type { GattCharacteristic, GattLink } from '@linnet/device/gatt';
import { type Transport, TransportError, throwIfAborted } from '@linnet/device/transport';
import { DISCONNECT_SETTLE_MS } from '../disconnect-settle.ts';
import { ForeignLink } from '../foreign-link.ts';
import { GattTransport } from '../gatt-transport.ts';
import { LinkEvents } from '../link-events.ts';
import { toTransportError } from './errors.ts';

/**
 * Connection timeout. Even slow attempts take less time, and users will wait this long. Android's own timeout is 30
 * seconds.
 */
const CONNECT_TIMEOUT_MS = 20_000;

/** When each device was last disconnected, from `performance.now()`. */
const disconnectedAt = new WeakMap<BluetoothDevice, number>();

function closeLink(device: BluetoothDevice): void {
  disconnectedAt.set(device, performance.now());
  device.gatt?.disconnect();
}

async function waitUntilSettled(device: BluetoothDevice): Promise<void> {
  const waitMs =
    (disconnectedAt.get(device) ?? -DISCONNECT_SETTLE_MS) +
    DISCONNECT_SETTLE_MS -
    performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
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

  protected writeToRadio(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    return withResponse
      ? this.characteristic.writeValueWithResponse(bytes)
      : this.characteristic.writeValueWithoutResponse(bytes);
  }

  protected toWriteError(error: unknown): TransportError {
    if (!this.device.gatt?.connected) return new TransportError('link_lost', { cause: error });
    return toTransportError('write', error);
  }

  protected closeLink(): void {
    closeLink(this.device);
  }
}

/** Connects to the device. Rejects with `aborted` if the signal aborts, and with `connect_failed` after the timeout. */
async function connectGatt(
  device: BluetoothDevice,
  server: BluetoothRemoteGATTServer,
  signal: AbortSignal | undefined,
): Promise<void> {
  await waitUntilSettled(device);
  throwIfAborted(signal);
  const cancellation = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => cancellation.reject(new TransportError('connect_failed')),
    CONNECT_TIMEOUT_MS,
  );
  const onAbort = () =>
    cancellation.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  try {
    await Promise.race([server.connect(), cancellation.promise]);
  } catch (error) {
    closeLink(device);
    throw toTransportError('connect', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** @throws {TransportError} `connect_failed`, `not_found`, `permission_denied`, `aborted` */
async function openServer(
  device: BluetoothDevice,
  signal: AbortSignal | undefined,
): Promise<{ readonly server: BluetoothRemoteGATTServer; readonly events: LinkEvents }> {
  const server = device.gatt;
  if (!server) throw new TransportError('permission_denied');
  const events = new LinkEvents();
  await connectGatt(device, server, signal);
  device.addEventListener('gattserverdisconnected', () => events.emitClosed('link_lost'), {
    once: true,
  });
  return { server, events };
}

/**
 * Connects, discovers the recorder service and subscribes to its notifications.
 * @throws {TransportError} `connect_failed`, `not_a_recorder`, `not_found`, `permission_denied`,
 *   `link_lost`, `aborted`
 */
export async function openTransport(
  device: BluetoothDevice,
  signal: AbortSignal | undefined,
): Promise<Transport> {
  const { server, events } = await openServer(device, signal);
  try {
    const service = await server.getPrimaryService(SERVICE_UUID);
    const writer = await service.getCharacteristic(WRITE_UUID);
    const notifier = await service.getCharacteristic(NOTIFY_UUID);
    notifier.addEventListener('characteristicvaluechanged', () => {
      const { value } = notifier;
      if (!value) return;
      events.emitBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice());
    });
    await notifier.startNotifications();
    throwIfAborted(signal);
    return new WebBluetoothTransport(device, writer, events);
  } catch (error) {
    closeLink(device);
    throw toTransportError('services', error);
  }
}

class WebBluetoothGattLink extends ForeignLink {
  private readonly device: BluetoothDevice;
  private readonly server: BluetoothRemoteGATTServer;
  /** The characteristics that were found, by the UUIDs of service and characteristic. */
  private readonly characteristics = new Map<string, BluetoothRemoteGATTCharacteristic>();

  constructor(device: BluetoothDevice, server: BluetoothRemoteGATTServer, events: LinkEvents) {
    super({ deviceId: device.id, name: device.name ?? '' }, events);
    this.device = device;
    this.server = server;
  }

  protected async findService(service: string): Promise<boolean> {
    try {
      await this.server.getPrimaryService(service);
      return true;
    } catch (error) {
      const failure = this.toError(error);
      if (failure.code === 'not_a_recorder') return false;
      throw failure;
    }
  }

  protected async readValue(at: GattCharacteristic): Promise<DataView> {
    return (await this.find(at)).readValue();
  }

  protected async writeValue(at: GattCharacteristic, bytes: Uint8Array<ArrayBuffer>) {
    await (await this.find(at)).writeValueWithResponse(bytes);
  }

  protected async startNotifications(at: GattCharacteristic, listener: (value: DataView) => void) {
    const characteristic = await this.find(at);
    const onValue = () => characteristic.value && listener(characteristic.value);
    characteristic.addEventListener('characteristicvaluechanged', onValue);
    await characteristic.startNotifications();
    return async () => {
      characteristic.removeEventListener('characteristicvaluechanged', onValue);
      await characteristic.stopNotifications();
    };
  }

  protected toError(error: unknown): TransportError {
    if (!this.device.gatt?.connected) return new TransportError('link_lost', { cause: error });
    return toTransportError('services', error);
  }

  protected closeLink(): void {
    closeLink(this.device);
  }

  private async find({
    service,
    characteristic,
  }: GattCharacteristic): Promise<BluetoothRemoteGATTCharacteristic> {
    const key = `${service} ${characteristic}`;
    const knownCharacteristic = this.characteristics.get(key);
    if (knownCharacteristic) return knownCharacteristic;
    const parent = await this.server.getPrimaryService(service);
    const foundCharacteristic = await parent.getCharacteristic(characteristic);
    this.characteristics.set(key, foundCharacteristic);
    return foundCharacteristic;
  }
}

/**
 * Connects to a recorder from another manufacturer.
 * @throws {TransportError} `connect_failed`, `not_found`, `permission_denied`, `aborted`
 */
export async function openGattLink(
  device: BluetoothDevice,
  signal: AbortSignal | undefined,
): Promise<GattLink> {
  const { server, events } = await openServer(device, signal);
  return new WebBluetoothGattLink(device, server, events);
}
