/// <reference types="web-bluetooth" />
/** Recorders over the browser's Bluetooth. The browser shows the chooser and asks for permission. */
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
import { translate } from './errors.ts';
import { openGatt } from './link.ts';

/**
 * After a reload, the browser can connect to a known device only if the system remembers it or its advertisement
 * was received. A recorder advertises at least every second, or every two seconds while asleep.
 */
const ADVERTISEMENT_TIMEOUT_MS = 10_000;

/** Also usable in browsers without Web Bluetooth, where `availability` reports the reason. */
export function createWebBluetoothFinder(): RecorderFinder {
  return new WebBluetoothFinder(globalThis.navigator?.bluetooth);
}

class WebBluetoothFinder implements RecorderFinder {
  readonly kind = 'web-bluetooth';
  readonly discovery = 'chooser';
  /** Devices that this page can open without a prompt until it is reloaded. */
  private readonly known = new Map<string, BluetoothDevice>();
  private readonly bluetooth: Bluetooth | undefined;

  constructor(bluetooth: Bluetooth | undefined) {
    this.bluetooth = bluetooth;
  }

  async availability(): Promise<Availability> {
    if (!this.bluetooth) {
      const code = globalThis.isSecureContext === false ? 'insecure_context' : 'unsupported';
      return { status: 'unavailable', code };
    }
    const on = await this.bluetooth.getAvailability();
    return on ? { status: 'ready' } : { status: 'unavailable', code: 'radio_off' };
  }

  onAvailabilityChange(listener: (availability: Availability) => void): Unsubscribe {
    const onChange = () => void this.availability().then(listener);
    this.bluetooth?.addEventListener('availabilitychanged', onChange);
    return () => this.bluetooth?.removeEventListener('availabilitychanged', onChange);
  }

  /** Nothing may be awaited before the chooser opens, or the user activation expires. */
  async find(options: { signal?: AbortSignal } = {}): Promise<readonly RecorderCandidate[]> {
    throwIfAborted(options.signal);
    const { bluetooth } = this;
    if (!bluetooth) throw await this.unavailable();
    const choosing = bluetooth.requestDevice({ filters: [{ services: [SERVICE_UUID] }] });
    const device = await choosing.catch(async (error: unknown) => {
      const failure = translate('choose', error);
      // With the radio off the browser reports "not found", as for a closed chooser.
      const off = failure.code === 'chooser_cancelled' && !(await bluetooth.getAvailability());
      throw off ? new TransportError('radio_off', { cause: error }) : failure;
    });
    this.known.set(device.id, device);
    return [this.candidate(device)];
  }

  async reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    throwIfAborted(options.signal);
    const { bluetooth } = this;
    if (!bluetooth) throw await this.unavailable();
    const known = this.known.get(remembered.deviceId);
    if (known) return openGatt(known, options.signal);
    // Browsers without `getDevices` forget the choice when the page is closed.
    const granted = 'getDevices' in bluetooth ? await bluetooth.getDevices() : [];
    const device = granted.find(({ id }) => id === remembered.deviceId);
    if (!device) throw new TransportError('chooser_needed');
    this.known.set(device.id, device);
    try {
      return await openGatt(device, options.signal);
    } catch (error) {
      const isOutOfReach = error instanceof TransportError && error.code === 'connect_failed';
      if (!isOutOfReach || !('watchAdvertisements' in device)) throw error;
    }
    await this.waitForAdvertisement(device, options.signal);
    return openGatt(device, options.signal);
  }

  private async unavailable(): Promise<TransportError> {
    const availability = await this.availability();
    return new TransportError(
      availability.status === 'unavailable' ? availability.code : 'unsupported',
    );
  }

  private candidate(device: BluetoothDevice): RecorderCandidate {
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
      throw translate('connect', error);
    } finally {
      stop.abort();
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      device.removeEventListener('advertisementreceived', onReceived);
    }
  }
}
