/// <reference types="web-bluetooth" />
/** Connects to recorders via Web Bluetooth. The browser shows a chooser and asks for permission. */
import { SERVICE_UUID } from '@linnet/device/codec';
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
import { openGatt } from './link.ts';

/**
 * How long to wait for an advertisement, in milliseconds. After a reload, the browser can connect to a known device
 * only if the system remembers it or has received its advertisement. A recorder advertises at least once a second, or
 * every two seconds while asleep.
 */
const ADVERTISEMENT_TIMEOUT_MS = 10_000;

/** Creates a finder. In browsers without Web Bluetooth, its `availability` reports the reason. */
export function createWebBluetoothFinder(): RecorderFinder {
  return new WebBluetoothFinder(globalThis.navigator?.bluetooth);
}

class WebBluetoothFinder implements RecorderFinder {
  readonly kind = 'web-bluetooth';
  readonly discovery = 'chooser';
  /** Devices that this page can open without a prompt until it's reloaded. */
  private readonly grantedDevices = new Map<string, BluetoothDevice>();
  private readonly bluetooth: Bluetooth | undefined;

  constructor(bluetooth: Bluetooth | undefined) {
    this.bluetooth = bluetooth;
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
    const choosing = bluetooth.requestDevice({ filters: [{ services: [SERVICE_UUID] }] });
    const device = await choosing.catch(async (error: unknown) => {
      const failure = toTransportError('choose', error);
      // If the radio is off, the browser reports "not found", as if the user had closed the chooser.
      const isOff = failure.code === 'chooser_cancelled' && !(await bluetooth.getAvailability());
      throw isOff ? new TransportError('radio_off', { cause: error }) : failure;
    });
    this.grantedDevices.set(device.id, device);
    return [this.createCandidate(device)];
  }

  async reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    throwIfAborted(options.signal);
    const { bluetooth } = this;
    if (!bluetooth) throw await this.createUnavailableError();
    const grantedDevices = this.grantedDevices.get(remembered.deviceId);
    if (grantedDevices) return openGatt(grantedDevices, options.signal);
    // Browsers without `getDevices` forget the chosen device when the page is closed.
    const granted = 'getDevices' in bluetooth ? await bluetooth.getDevices() : [];
    const device = granted.find(({ id }) => id === remembered.deviceId);
    if (!device) throw new TransportError('chooser_needed');
    this.grantedDevices.set(device.id, device);
    try {
      return await openGatt(device, options.signal);
    } catch (error) {
      const isOutOfRange = error instanceof TransportError && error.code === 'connect_failed';
      if (!isOutOfRange || !('watchAdvertisements' in device)) throw error;
    }
    await this.waitForAdvertisement(device, options.signal);
    return openGatt(device, options.signal);
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
      connect: ({ signal } = {}) => openGatt(device, signal),
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
