/**
 * Recorders over a phone's own Bluetooth, through the plugin `@capacitor-community/bluetooth-le`.
 * What only a phone can do (scanning, MTU, settings) was never run on one: it stands on the plugin's
 * interface and sources of version 8.3. Its web half is proven in a real browser.
 *
 * An app needs `NSBluetoothAlwaysUsageDescription` on iOS, and on Android
 * `BLUETOOTH_SCAN` with `neverForLocation` in its manifest.
 */

import { Capacitor } from '@capacitor/core';
import { BleClient } from '@capacitor-community/bluetooth-le';
import { SERVICE_UUID } from '@linnet/device/codec';
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
import { translate } from './errors.ts';
import { openLink } from './link.ts';
import { type Client, PhoneRadio, type Platform } from './radio.ts';
import { readAdvertisement, scan } from './scan.ts';

export type { Client, Platform } from './radio.ts';

/**
 * Duration of a scan for all recorders. A recorder advertises at least once a second, asleep every
 * two, and a phone misses some.
 */
const FIND_MS = 5000;
/** Duration of a scan for a remembered recorder. */
const HEAR_TIMEOUT_MS = 10_000;

const REMEDIES: { readonly [P in Platform]: readonly Remedy[] } = {
  android: ['switch_on', 'bluetooth_settings', 'app_settings'],
  // iOS lets an app open only its own settings, which contain its permissions.
  ios: ['app_settings'],
  web: [],
};

/** A finder that implements every optional method, such as opening the settings. */
export type CapacitorFinder = Required<RecorderFinder>;

/** Creates a finder, by default over the plugin and for the current platform. */
export function createCapacitorFinder(
  client: Client = BleClient,
  platform: Platform = Capacitor.getPlatform() as Platform,
): CapacitorFinder {
  return new CapacitorBleFinder(client, platform);
}

class CapacitorBleFinder implements CapacitorFinder {
  readonly kind = 'capacitor-ble';
  readonly discovery: RecorderFinder['discovery'];
  readonly remedies: readonly Remedy[];
  private readonly radio: PhoneRadio;
  /** In a browser: devices that this page may open without asking again, until it is reloaded. */
  private readonly chosen = new Set<string>();

  constructor(client: Client, platform: Platform) {
    this.radio = new PhoneRadio(client, platform);
    this.discovery = platform === 'web' ? 'chooser' : 'list';
    this.remedies = REMEDIES[platform];
  }

  async availability(): Promise<Availability> {
    try {
      await this.radio.mustBeOn();
      return { status: 'ready' };
    } catch (error) {
      return { status: 'unavailable', code: whyUnavailable(translate('start', error)) };
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
    const heard = await scan(this.radio, { forMs: FIND_MS, signal: options.signal });
    if (heard.size === 0) throw new TransportError('not_found');
    return [...heard.values()].map((result) => {
      const advertisement = readAdvertisement(result, this.radio.platform);
      return this.candidate(result.device.deviceId, advertisement);
    });
  }

  async reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    throwIfAborted(options.signal);
    const { deviceId, name } = remembered;
    await this.radio.mustBeOn();
    if (this.discovery === 'chooser') await this.mustBeGranted(deviceId);
    else await this.hear(deviceId, options.signal);
    return openLink(this.radio, { deviceId, name }, options.signal);
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
      throw translate('start', error);
    }
  }

  private candidate(
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

  /** Nothing may be awaited before the chooser opens, or the user activation expires. */
  private async choose(): Promise<RecorderCandidate> {
    try {
      const device = await this.radio.client.requestDevice({ services: [SERVICE_UUID] });
      this.chosen.add(device.deviceId);
      return this.candidate(device.deviceId, { name: device.name ?? '' });
    } catch (error) {
      // Without a radio the browser reports "not found", as for a closed chooser.
      await this.radio.mustBeOn();
      throw translate('choose', error);
    }
  }

  private async mustBeGranted(deviceId: string): Promise<void> {
    if (this.chosen.has(deviceId)) return;
    // Absent from browsers that forget a choice with the page.
    const remembers = 'getDevices' in (globalThis.navigator?.bluetooth ?? {});
    const granted = remembers ? await this.radio.client.getDevices([deviceId]) : [];
    if (granted.length === 0) throw new TransportError('chooser_needed');
    this.chosen.add(deviceId);
  }

  /**
   * Scans for a recorder before connecting to it: by address alone, Android may not know the type of the address. A
   * recorder that is still connected does not advertise.
   */
  private async hear(deviceId: string, signal: AbortSignal | undefined): Promise<void> {
    const connected = await this.radio.client.getConnectedDevices([SERVICE_UUID]);
    if (connected.some((device) => device.deviceId === deviceId)) return;
    const enough = (heard: ReadonlyMap<string, unknown>) => heard.has(deviceId);
    const heard = await scan(this.radio, { forMs: HEAR_TIMEOUT_MS, enough, signal });
    if (!enough(heard)) throw new TransportError('not_found');
  }
}

function whyUnavailable({ code }: TransportError) {
  switch (code) {
    case 'radio_off':
    case 'permission_denied':
    case 'insecure_context':
      return code;
    default:
      return 'unsupported';
  }
}
