/**
 * Connects to recorders over a phone's Bluetooth, through the `@capacitor-community/bluetooth-le` plugin. Scanning, MTU
 * and settings were written against the interface and sources of version 8.3 and haven't been run on a phone. The
 * plugin's web implementation is tested in a real browser.
 *
 * An app needs `NSBluetoothAlwaysUsageDescription` on iOS, and `BLUETOOTH_SCAN` with `neverForLocation` in its manifest
 * on Android.
 */

import { Capacitor } from '@capacitor/core';
import { BleClient } from '@capacitor-community/bluetooth-le';
import { SERVICE_UUID } from '@linnet/device/codec';
import type { GattFinder, GattLink, GattProfile } from '@linnet/device/gatt';
import {
  type Availability,
  type RecorderCandidate,
  type RecorderFinder,
  type Remedy,
  type RememberedRecorder,
  type Transport,
  TransportError,
  throwIfAborted,
  type Unsubscribe,
} from '@linnet/device/transport';
import type { GattDevice } from '../gatt-connection.ts';
import { toTransportError } from './errors.ts';
import { openGattLink, openLink } from './link.ts';
import { type Client, PhoneRadio, type Platform } from './radio.ts';
import { readAdvertisement, scan } from './scan.ts';

export type { Client, Platform } from './radio.ts';

/**
 * How long to scan for recorders, in milliseconds. A recorder advertises at least once a second, or every two seconds
 * while asleep, and phones miss some advertisements.
 */
const FIND_MS = 5000;
/** How long to scan for a remembered recorder, in milliseconds. */
const SCAN_TIMEOUT_MS = 10_000;

const REMEDIES: { readonly [P in Platform]: readonly Remedy[] } = {
  android: ['switch_on', 'bluetooth_settings', 'app_settings'],
  // iOS lets an app open only its own settings, which include its permissions.
  ios: ['app_settings'],
  web: [],
};

/** A finder with all optional methods of radio finders, such as opening the settings. */
export type CapacitorFinder = Required<Omit<RecorderFinder, 'findAt'>> & GattFinder;

/**
 * Creates a finder. By default, it uses the plugin on the current platform.
 * @param others profiles of other manufacturers' recorders to find as well; open these recorders with `openGatt`
 */
export function createCapacitorFinder(
  others: readonly GattProfile[] = [],
  client: Client = BleClient,
  platform: Platform = Capacitor.getPlatform() as Platform,
): CapacitorFinder {
  return new CapacitorBleFinder(client, platform, others);
}

class CapacitorBleFinder implements CapacitorFinder {
  readonly kind = 'capacitor-ble';
  readonly discovery: RecorderFinder['discovery'];
  readonly remedies: readonly Remedy[];
  private readonly radio: PhoneRadio;
  /** Devices that this page can open without a prompt until it's reloaded. Used only in browsers. */
  private readonly grantedIds = new Set<string>();
  private readonly others: readonly GattProfile[];
  /** The services that the recorders advertise. */
  private readonly services: readonly string[];
  /** The services that the recorders have. A connected one may lack the service that it advertises. */
  private readonly ownServices: readonly string[];

  constructor(client: Client, platform: Platform, others: readonly GattProfile[]) {
    this.others = others;
    this.services = [SERVICE_UUID, ...others.map(({ service }) => service)];
    const optional = others.flatMap(({ optionalServices }) => optionalServices);
    this.ownServices = [...new Set([...this.services, ...optional])];
    this.radio = new PhoneRadio(client, platform);
    this.discovery = platform === 'web' ? 'chooser' : 'list';
    this.remedies = REMEDIES[platform];
  }

  async availability(): Promise<Availability> {
    try {
      await this.radio.checkOn();
      return { status: 'ready' };
    } catch (error) {
      return { status: 'unavailable', code: unavailabilityCode(toTransportError('start', error)) };
    }
  }

  onAvailabilityChange(listener: (availability: Availability) => void): Unsubscribe {
    return this.radio.onSwitched((isOn) =>
      listener(isOn ? { status: 'ready' } : { status: 'unavailable', code: 'radio_off' }),
    );
  }

  async find(options: { signal?: AbortSignal } = {}): Promise<readonly RecorderCandidate[]> {
    throwIfAborted(options.signal);
    if (this.discovery === 'chooser') return [await this.choose()];
    const results = await scan(this.radio, {
      forMs: FIND_MS,
      services: this.services,
      signal: options.signal,
    });
    if (results.size === 0) throw new TransportError('not_found');
    return [...results.values()].map((result) => {
      const advertisement = readAdvertisement(result, this.radio.platform);
      return this.createCandidate(result.device.deviceId, advertisement);
    });
  }

  async reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    const device = await this.findAgain(remembered, options.signal);
    return openLink(this.radio, device, options.signal);
  }

  async openGatt(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<GattLink> {
    const device = await this.findAgain(remembered, options.signal);
    return openGattLink(this.radio, device, options.signal);
  }

  async remedy(remedy: Remedy): Promise<void> {
    if (!this.remedies.includes(remedy)) throw new TransportError('unsupported');
    const { client } = this.radio;
    const apply = {
      switch_on: () => this.radio.start().then(() => client.requestEnable()),
      bluetooth_settings: () => client.openBluetoothSettings(),
      app_settings: () => client.openAppSettings(),
    };
    try {
      await apply[remedy]();
    } catch (error) {
      throw toTransportError('start', error);
    }
  }

  private createCandidate(
    deviceId: string,
    advertisement: RecorderCandidate['advertisement'],
  ): RecorderCandidate {
    const device = { deviceId, name: advertisement.name };
    return {
      kind: this.kind,
      deviceId,
      advertisement,
      connect: ({ signal } = {}) => openLink(this.radio, device, signal),
    };
  }

  private async findAgain(
    { deviceId, name }: RememberedRecorder,
    signal: AbortSignal | undefined,
  ): Promise<GattDevice> {
    throwIfAborted(signal);
    await this.radio.checkOn();
    if (this.discovery === 'chooser') await this.checkGranted(deviceId);
    else await this.scanFor(deviceId, signal);
    return { deviceId, name };
  }

  /** Opens the browser's chooser. Don't await anything before this: the transient user activation would be lost. */
  private async choose(): Promise<RecorderCandidate> {
    try {
      const device = await this.radio.client.requestDevice({
        services: [...this.services],
        optionalServices: this.others.flatMap(({ optionalServices }) => optionalServices),
      });
      this.grantedIds.add(device.deviceId);
      return this.createCandidate(device.deviceId, { name: device.name ?? '' });
    } catch (error) {
      // If there's no radio, the browser reports "not found", as if the user had closed the chooser.
      await this.radio.checkOn();
      throw toTransportError('choose', error);
    }
  }

  private async checkGranted(deviceId: string): Promise<void> {
    if (this.grantedIds.has(deviceId)) return;
    // Browsers without `getDevices` forget the chosen device when the page is closed.
    const canListDevices = 'getDevices' in (globalThis.navigator?.bluetooth ?? {});
    const granted = canListDevices ? await this.radio.client.getDevices([deviceId]) : [];
    if (granted.length === 0) throw new TransportError('chooser_needed');
    this.grantedIds.add(deviceId);
  }

  /**
   * Scans for a recorder before connecting, because Android may need a scan to learn the address type. Skips the scan
   * if the recorder is still connected, because it then doesn't advertise.
   */
  private async scanFor(deviceId: string, signal: AbortSignal | undefined): Promise<void> {
    const connected = await this.radio.client.getConnectedDevices([...this.ownServices]);
    if (connected.some((device) => device.deviceId === deviceId)) return;
    const isFound = (results: ReadonlyMap<string, unknown>) => results.has(deviceId);
    const results = await scan(this.radio, {
      forMs: SCAN_TIMEOUT_MS,
      services: this.services,
      isComplete: isFound,
      signal,
    });
    if (!isFound(results)) throw new TransportError('not_found');
  }
}

function unavailabilityCode({ code }: TransportError) {
  switch (code) {
    case 'radio_off':
    case 'permission_denied':
    case 'insecure_context':
      return code;
    default:
      return 'unsupported';
  }
}
