/** Opens a GATT link through the plugin. */
import {
  MAX_WRITE_SIZE,
  MIN_PAYLOAD_SIZE,
  NOTIFY_UUID,
  SERVICE_UUID,
  WRITE_UUID,
} from '@linnet/device/codec';
import type { GattCharacteristic, GattLink } from '@linnet/device/gatt';
import { type Transport, TransportError, throwIfAborted } from '@linnet/device/transport';
import { ForeignLink } from '../foreign-link.ts';
import type { GattDevice } from '../gatt-connection.ts';
import { GattTransport } from '../gatt-transport.ts';
import { LinkEvents } from '../link-events.ts';
import { toTransportError } from './errors.ts';
import type { PhoneRadio } from './radio.ts';

/**
 * Connection timeout. Successful attempts take less time, and users are willing to wait this long. Android's own timeout is 30
 * seconds.
 */
const CONNECT_TIMEOUT_MS = 20_000;
/** Size of a write's header in bytes, which counts toward the MTU. */
const ATT_HEADER_SIZE = 3;

class CapacitorBleTransport extends GattTransport {
  readonly kind = 'capacitor-ble';
  readonly maxWriteSize: number;
  private readonly radio: PhoneRadio;

  constructor(radio: PhoneRadio, device: GattDevice, events: LinkEvents, maxWriteSize: number) {
    super(device, events);
    this.radio = radio;
    this.maxWriteSize = maxWriteSize;
  }

  protected writeToRadio(bytes: Uint8Array<ArrayBuffer>, withResponse: boolean): Promise<void> {
    const { client } = this.radio;
    const target = [this.deviceId, SERVICE_UUID, WRITE_UUID] as const;
    const value = new DataView(bytes.buffer);
    return withResponse
      ? client.write(...target, value)
      : client.writeWithoutResponse(...target, value);
  }

  protected toWriteError(error: unknown): TransportError {
    return toTransportError('write', error);
  }

  protected closeLink(): Promise<void> {
    return this.radio.closeLink(this.deviceId);
  }
}

/** Connects to the device. Rejects with `aborted` or the plugin's error. */
async function connect(
  radio: PhoneRadio,
  deviceId: string,
  onDisconnected: () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  // On Android, this also requests an MTU of 512 and accepts the largest one available.
  const connecting = radio.client.connect(deviceId, onDisconnected, {
    timeout: CONNECT_TIMEOUT_MS,
    skipDescriptorDiscovery: true,
  });
  try {
    await Promise.race([connecting, aborted.promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function checkServices({ client }: PhoneRadio, deviceId: string): Promise<void> {
  const services = await client.getServices(deviceId);
  const service = services.find(({ uuid }) => uuid.toLowerCase() === SERVICE_UUID);
  const characteristics = service?.characteristics.map(({ uuid }) => uuid.toLowerCase()) ?? [];
  if (!characteristics.includes(WRITE_UUID) || !characteristics.includes(NOTIFY_UUID)) {
    throw new TransportError('not_a_recorder');
  }
}

/** Returns the maximum write size. Browsers don't report it, because they split longer writes automatically. */
async function getWriteSize({ client, platform }: PhoneRadio, deviceId: string): Promise<number> {
  if (platform === 'web') return MAX_WRITE_SIZE;
  const available = (await client.getMtu(deviceId)) - ATT_HEADER_SIZE;
  return Math.min(MAX_WRITE_SIZE, Math.max(MIN_PAYLOAD_SIZE, available));
}

/** Connects to a device and runs `prepare`. Closes the link if that fails. */
async function open<T>(
  radio: PhoneRadio,
  { deviceId }: GattDevice,
  signal: AbortSignal | undefined,
  prepare: (events: LinkEvents) => Promise<T>,
): Promise<T> {
  await radio.checkOn();
  await radio.whenDisconnected(deviceId);
  throwIfAborted(signal);
  const events = new LinkEvents();
  // Watch the radio, because some phones don't close every link when Bluetooth is turned off.
  const stopWatching = radio.onSwitched((isOn) => {
    if (!isOn) events.emitClosed('radio_off');
  });
  events.onClosed(stopWatching);
  let step: 'connect' | 'services' = 'connect';
  try {
    await connect(radio, deviceId, () => events.emitClosed('link_lost'), signal);
    step = 'services';
    const prepared = await prepare(events);
    throwIfAborted(signal);
    if (!events.isOpen) {
      await radio.checkOn();
      throw new TransportError('link_lost');
    }
    return prepared;
  } catch (error) {
    stopWatching();
    void radio.closeLink(deviceId);
    throw toTransportError(step, error);
  }
}

/**
 * Connects, discovers the recorder service and subscribes to its notifications.
 * @throws {TransportError} `connect_failed`, `not_a_recorder`, `not_found`, `permission_denied`,
 *   `radio_off`, `link_lost`, `aborted`
 */
export function openLink(
  radio: PhoneRadio,
  device: GattDevice,
  signal: AbortSignal | undefined,
): Promise<Transport> {
  const { deviceId } = device;
  return open(radio, device, signal, async (events) => {
    await checkServices(radio, deviceId);
    const maxWriteSize = await getWriteSize(radio, deviceId);
    await radio.client.startNotifications(deviceId, SERVICE_UUID, NOTIFY_UUID, (value) =>
      events.emitBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()),
    );
    return new CapacitorBleTransport(radio, device, events, maxWriteSize);
  });
}

class CapacitorGattLink extends ForeignLink {
  private readonly radio: PhoneRadio;

  constructor(radio: PhoneRadio, device: GattDevice, events: LinkEvents) {
    super(device, events);
    this.radio = radio;
  }

  protected async findService(service: string): Promise<boolean> {
    const services = await this.radio.client.getServices(this.deviceId);
    return services.some(({ uuid }) => uuid.toLowerCase() === service);
  }

  protected async readValue({ service, characteristic }: GattCharacteristic): Promise<DataView> {
    await this.check({ service, characteristic });
    return this.radio.client.read(this.deviceId, service, characteristic);
  }

  protected async writeValue(
    { service, characteristic }: GattCharacteristic,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    await this.check({ service, characteristic });
    await this.radio.client.write(
      this.deviceId,
      service,
      characteristic,
      new DataView(bytes.buffer),
    );
  }

  protected async startNotifications(
    { service, characteristic }: GattCharacteristic,
    listener: (value: DataView) => void,
  ): Promise<() => Promise<void>> {
    await this.check({ service, characteristic });
    const target = [this.deviceId, service, characteristic] as const;
    await this.radio.client.startNotifications(...target, listener);
    return () => this.radio.client.stopNotifications(...target);
  }

  protected toError(error: unknown): TransportError {
    return toTransportError('services', error);
  }

  protected closeLink(): Promise<void> {
    return this.radio.closeLink(this.deviceId);
  }

  /** Checks that a characteristic exists, because the plugin reports a missing one as a lost link. */
  private async check({ service, characteristic }: GattCharacteristic): Promise<void> {
    const services = await this.radio.client.getServices(this.deviceId);
    const foundService = services.find(({ uuid }) => uuid.toLowerCase() === service);
    const uuids = foundService?.characteristics.map(({ uuid }) => uuid.toLowerCase()) ?? [];
    if (!uuids.includes(characteristic)) throw new TransportError('not_a_recorder');
  }
}

/**
 * Connects to a recorder from another manufacturer.
 * @throws {TransportError} `connect_failed`, `not_found`, `permission_denied`, `radio_off`, `link_lost`, `aborted`
 */
export function openGattLink(
  radio: PhoneRadio,
  device: GattDevice,
  signal: AbortSignal | undefined,
): Promise<GattLink> {
  return open(
    radio,
    device,
    signal,
    async (events) => new CapacitorGattLink(radio, device, events),
  );
}
