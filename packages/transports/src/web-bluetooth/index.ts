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
 * After a reload the browser can connect to a known device only while the system remembers it, or once it has
 * received its advertisement. A recorder advertises at least once a second, asleep every two.
 */
const HEAR_TIMEOUT_MS = 10_000;

/** Works in browsers without Web Bluetooth too: `availability` then reports it. */
export function createWebBluetoothFinder(): RecorderFinder {
  return new WebBluetoothFinder(globalThis.navigator?.bluetooth);
}

class WebBluetoothFinder implements RecorderFinder {
  readonly kind = 'web-bluetooth';
  readonly discovery = 'chooser';
  /** Devices that this page may open without asking again, until it is reloaded. */
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
    const seen = this.known.get(remembered.deviceId);
    if (seen) return openGatt(seen, options.signal);
    // Absent from browsers that forget a choice with the page.
    const granted = 'getDevices' in bluetooth ? await bluetooth.getDevices() : [];
    const device = granted.find(({ id }) => id === remembered.deviceId);
    if (!device) throw new TransportError('chooser_needed');
    this.known.set(device.id, device);
    try {
      return await openGatt(device, options.signal);
    } catch (error) {
      const unheard = error instanceof TransportError && error.code === 'connect_failed';
      if (!unheard || !('watchAdvertisements' in device)) throw error;
    }
    await this.hear(device, options.signal);
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

  private async hear(device: BluetoothDevice, signal: AbortSignal | undefined): Promise<void> {
    const stop = new AbortController();
    const heard = Promise.withResolvers<void>();
    const timer = setTimeout(() => heard.reject(new TransportError('not_found')), HEAR_TIMEOUT_MS);
    const onAbort = () => heard.reject(new TransportError('aborted', { cause: signal?.reason }));
    const onHeard = () => heard.resolve();
    signal?.addEventListener('abort', onAbort);
    device.addEventListener('advertisementreceived', onHeard);
    try {
      await device.watchAdvertisements({ signal: stop.signal });
      await heard.promise;
    } catch (error) {
      throw translate('connect', error);
    } finally {
      stop.abort();
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      device.removeEventListener('advertisementreceived', onHeard);
    }
  }
}
