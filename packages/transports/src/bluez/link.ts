/** Opens a GATT link through BlueZ. */

import { Variant } from '@jellybrick/dbus-next';
import { MAX_WRITE_SIZE, NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import { type Transport, TransportError } from '@linnet/device/transport';
import type { GattDevice } from '../gatt-connection.ts';
import { GattTransport } from '../gatt-transport.ts';
import { LinkEvents } from '../link-events.ts';
import { type BluezBus, CHARACTERISTIC, DEVICE, SERVICE } from './bus.ts';
import { toTransportError } from './errors.ts';

/** The timeout for connecting and discovering services together, in milliseconds. */
const CONNECT_TIMEOUT_MS = 20_000;
/** The timeout for closing a link, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5000;

class BluezTransport extends GattTransport {
  readonly kind = 'bluez';
  // BlueZ splits a longer write with response.
  readonly maxWriteSize = MAX_WRITE_SIZE;
  private readonly bus: BluezBus;
  private readonly device: string;
  private readonly writer: string;

  constructor(
    bus: BluezBus,
    paths: { readonly device: string; readonly writer: string },
    device: GattDevice,
    events: LinkEvents,
  ) {
    super(device, events);
    this.bus = bus;
    this.device = paths.device;
    this.writer = paths.writer;
  }

  protected async writeToRadio(
    bytes: Uint8Array<ArrayBuffer>,
    withResponse: boolean,
  ): Promise<void> {
    await this.bus.call({
      path: this.writer,
      interface: CHARACTERISTIC,
      member: 'WriteValue',
      signature: 'aya{sv}',
      body: [Buffer.from(bytes), { type: new Variant('s', withResponse ? 'request' : 'command') }],
    });
  }

  protected toWriteError(error: unknown): TransportError {
    return toTransportError(error, 'write_failed');
  }

  protected closeLink(): Promise<void> {
    return disconnect(this.bus, this.device);
  }
}

const isConnected = (bus: BluezBus, path: string) => bus.isTrue(path, DEVICE, 'Connected');

/** Closes the link, or cancels connecting. */
async function disconnect(bus: BluezBus, path: string): Promise<void> {
  const call = { path, interface: DEVICE, member: 'Disconnect', timeoutMs: CLOSE_TIMEOUT_MS };
  // The call fails if there is no link.
  await bus.call(call).catch(() => undefined);
  await bus.until(() => !isConnected(bus, path), CLOSE_TIMEOUT_MS);
}

/** Connects, and waits until BlueZ has read the recorder's services. */
async function connect(bus: BluezBus, path: string): Promise<void> {
  const startedAt = performance.now();
  await bus.call({
    path,
    interface: DEVICE,
    member: 'Connect',
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  const hasServices = () => bus.isTrue(path, DEVICE, 'ServicesResolved');
  const leftMs = Math.max(0, startedAt + CONNECT_TIMEOUT_MS - performance.now());
  await bus.until(() => hasServices() || !isConnected(bus, path), leftMs);
  if (!hasServices()) throw new TransportError('connect_failed');
}

/** Returns the object path of one of the recorder's characteristics. @throws {TransportError} `not_a_recorder` */
function findCharacteristic(bus: BluezBus, device: string, uuid: string): string {
  const characteristicPath = bus.paths(CHARACTERISTIC).find((path) => {
    const service = bus.text(path, CHARACTERISTIC, 'Service');
    return (
      bus.text(path, CHARACTERISTIC, 'UUID') === uuid &&
      bus.text(service, SERVICE, 'UUID') === SERVICE_UUID &&
      bus.text(service, SERVICE, 'Device') === device
    );
  });
  if (characteristicPath === undefined) throw new TransportError('not_a_recorder');
  return characteristicPath;
}

/** Forwards notifications and reports the loss of the link, until the link closes. */
function follow(bus: BluezBus, device: string, notifier: string, events: LinkEvents): void {
  const check = () => {
    if (!isConnected(bus, device)) events.emitClosed('link_lost');
  };
  const unsubscribers = [
    bus.notified.subscribe((path, bytes) => {
      if (path === notifier) events.emitBytes(bytes);
    }),
    bus.changed.subscribe(check),
  ];
  events.onClosed(() => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  });
  check();
}

/**
 * Connects and subscribes to the recorder's notifications.
 * @param path the device's object path
 * @throws {TransportError} `connect_failed`, `not_a_recorder`, `not_found`, `permission_denied`, `radio_off`,
 *   `unsupported`, `link_lost`
 */
export async function openTransport(
  bus: BluezBus,
  path: string,
  device: GattDevice,
): Promise<Transport> {
  // A crashed program leaves its link open, with its notifications still active.
  if (isConnected(bus, path)) await disconnect(bus, path);
  const events = new LinkEvents();
  try {
    await connect(bus, path);
    const writer = findCharacteristic(bus, path, WRITE_UUID);
    const notifier = findCharacteristic(bus, path, NOTIFY_UUID);
    follow(bus, path, notifier, events);
    await bus.call({ path: notifier, interface: CHARACTERISTIC, member: 'StartNotify' });
    if (!events.isOpen) throw new TransportError('link_lost');
    return new BluezTransport(bus, { device: path, writer }, device, events);
  } catch (error) {
    const isLost = !events.isOpen;
    events.emitClosed('closed_by_us');
    await disconnect(bus, path);
    if (isLost) throw new TransportError('link_lost', { cause: error });
    throw toTransportError(error, 'connect_failed');
  }
}
