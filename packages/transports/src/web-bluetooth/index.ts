/// <reference types="web-bluetooth" />
/** Connects to recorders via Web Bluetooth. The browser shows a chooser and asks for permission. */
import { SERVICE_UUID } from '@linnet/device/codec';
import type { GattFinder, GattLink, GattProfile } from '@linnet/device/gatt';
import {
  type Availability,
  type RecorderCandidate,
  type RecorderFinder,
  type RememberedRecorder,
  type Transport,
  TransportError,
  throwIfAborted,
  type Unsubscribe,
} from '@linnet/device/transport';
import { toTransportError } from './errors.ts';
import { openGattLink, openTransport } from './link.ts';

/**
 * How long to wait for an advertisement, in milliseconds. After a reload, the browser can connect to a known device
 * only if the system remembers it or has received its advertisement. A recorder advertises at least once a second, or
 * every two seconds while asleep.
 */
const ADVERTISEMENT_TIMEOUT_MS = 10_000;

/**
 * Creates a finder. In browsers without Web Bluetooth, its `availability` reports the reason.
 * @param others profiles of other manufacturers' recorders to find as well; open these recorders with `openGatt`
 */
export function createWebBluetoothFinder(
  others: readonly GattProfile[] = [],
): RecorderFinder & GattFinder {
  return new WebBluetoothFinder(globalThis.navigator?.bluetooth, others);
}

class WebBluetoothFinder implements RecorderFinder, GattFinder {
  readonly kind = 'web-bluetooth';
  readonly discovery = 'chooser';
  /** Devices that this page can open without a prompt until it's reloaded. */
  private readonly grantedDevices = new Map<string, BluetoothDevice>();
  private readonly bluetooth: Bluetooth | undefined;
  private readonly others: readonly GattProfile[];

  constructor(bluetooth: Bluetooth | undefined, others: readonly GattProfile[]) {
    this.bluetooth = bluetooth;
    this.others = others;
  }

  async availability(): Promise<Availability> {
    if (!this.bluetooth) {
      const code = globalThis.isSecureContext === false ? 'insecure_context' : 'unsupported';
      return { status: 'unavailable', code };
    }
    const isOn = await this.bluetooth.getAvailability();
    return isOn ? { status: 'ready' } : { status: 'unavailable', code: 'radio_off' };
  }

  onAvailabilityChange(listener: (availability: Availability) => void): Unsubscribe {
    const onChange = () => void this.availability().then(listener);
    this.bluetooth?.addEventListener('availabilitychanged', onChange);
    return () => this.bluetooth?.removeEventListener('availabilitychanged', onChange);
  }

  /** Opens the browser's chooser. Don't await anything before this: the transient user activation would be lost. */
  async find(options: { signal?: AbortSignal } = {}): Promise<readonly RecorderCandidate[]> {
    throwIfAborted(options.signal);
    const { bluetooth } = this;
    if (!bluetooth) throw await this.createUnavailableError();
    const services = [SERVICE_UUID, ...this.others.map(({ service }) => service)];
    const choosing = bluetooth.requestDevice({
      filters: services.map((service) => ({ services: [service] })),
      optionalServices: this.others.flatMap(({ optionalServices }) => optionalServices),
    });
    const device = await choosing.catch(async (error: unknown) => {
      const failure = toTransportError('choose', error);
      // If the radio is off, the browser reports "not found", as if the user had closed the chooser.
      const isOff = failure.code === 'chooser_cancelled' && !(await bluetooth.getAvailability());
      throw isOff ? new TransportError('radio_off', { cause: error }) : failure;
    });
    this.grantedDevices.set(device.id, device);
    return [this.createCandidate(device)];
  }

  reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    return this.reopenWith(openTransport, remembered, options.signal);
  }

  openGatt(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<GattLink> {
    return this.reopenWith(openGattLink, remembered, options.signal);
  }

  private async reopenWith<T>(
    open: (device: BluetoothDevice, signal: AbortSignal | undefined) => Promise<T>,
    remembered: RememberedRecorder,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    throwIfAborted(signal);
    const { bluetooth } = this;
    if (!bluetooth) throw await this.createUnavailableError();
    const grantedDevice = this.grantedDevices.get(remembered.deviceId);
    if (grantedDevice) return open(grantedDevice, signal);
    // Browsers without `getDevices` forget the chosen device when the page is closed.
    const granted = 'getDevices' in bluetooth ? await bluetooth.getDevices() : [];
    const device = granted.find(({ id }) => id === remembered.deviceId);
    if (!device) throw new TransportError('chooser_needed');
    this.grantedDevices.set(device.id, device);
    try {
      return await open(device, signal);
    } catch (error) {
      const isOutOfRange = error instanceof TransportError && error.code === 'connect_failed';
      if (!isOutOfRange || !('watchAdvertisements' in device)) throw error;
    }
    await this.waitForAdvertisement(device, signal);
    return open(device, signal);
  }

  private async createUnavailableError(): Promise<TransportError> {
    const availability = await this.availability();
    return new TransportError(
      availability.status === 'unavailable' ? availability.code : 'unsupported',
    );
  }

  private createCandidate(device: BluetoothDevice): RecorderCandidate {
    return {
      kind: this.kind,
      deviceId: device.id,
      advertisement: { name: device.name ?? '' },
      connect: ({ signal } = {}) => openTransport(device, signal),
    };
  }

  private async waitForAdvertisement(
    device: BluetoothDevice,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const stop = new AbortController();
    const received = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => received.reject(new TransportError('not_found')),
      ADVERTISEMENT_TIMEOUT_MS,
    );
    const onAbort = () => received.reject(new TransportError('aborted', { cause: signal?.reason }));
    const onReceived = () => received.resolve();
    signal?.addEventListener('abort', onAbort);
    device.addEventListener('advertisementreceived', onReceived);
    try {
      await device.watchAdvertisements({ signal: stop.signal });
      await received.promise;
    } catch (error) {
      throw toTransportError('connect', error);
    } finally {
      stop.abort();
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      device.removeEventListener('advertisementreceived', onReceived);
    }
  }
}
