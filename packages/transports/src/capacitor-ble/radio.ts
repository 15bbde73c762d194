/** The phone's Bluetooth radio: permission, state, and ordering of disconnects and connects. */

import type { BleClient } from '@capacitor-community/bluetooth-le';
import { Emitter } from '@linnet/base';
import { TransportError, type Unsubscribe } from '@linnet/device/transport';
import { DISCONNECT_SETTLE_MS } from '../disconnect-settle.ts';
import { translate } from './errors.ts';

export type Platform = 'android' | 'ios' | 'web';

/** The part of the plugin that this adapter uses. */
export type Client = Pick<
  typeof BleClient,
  | 'disableQueue'
  | 'initialize'
  | 'isEnabled'
  | 'startEnabledNotifications'
  | 'requestEnable'
  | 'openBluetoothSettings'
  | 'openAppSettings'
  | 'requestDevice'
  | 'requestLEScan'
  | 'stopLEScan'
  | 'getDevices'
  | 'getConnectedDevices'
  | 'connect'
  | 'disconnect'
  | 'getServices'
  | 'getMtu'
  | 'startNotifications'
  | 'write'
  | 'writeWithoutResponse'
>;

export class PhoneRadio {
  readonly client: Client;
  readonly platform: Platform;
  private started: Promise<void> | undefined;
  private isOn: boolean | undefined;
  private readonly switchedTo = new Emitter<[isOn: boolean]>();
  /** Disconnects in progress, by device. */
  private readonly disconnecting = new Map<string, Promise<void>>();

  constructor(client: Client, platform: Platform) {
    this.client = client;
    this.platform = platform;
    // The plugin has a single queue, in which a pending connect would block the call that cancels it. Each link
    // has its own queue instead.
    client.disableQueue();
  }

  /**
   * Requests the permission if needed, and checks that the radio is on.
   * @throws {TransportError} `radio_off`, `permission_denied`, `unsupported`, `insecure_context`
   */
  async assertOn(): Promise<void> {
    try {
      await this.start();
      if (!(await this.client.isEnabled())) throw new TransportError('radio_off');
    } catch (error) {
      throw translate('start', error);
    }
  }

  /** Notifies once per change, if the system reports it. Phones report changes after the first use. */
  onSwitched(listener: (isOn: boolean) => void): Unsubscribe {
    return this.switchedTo.subscribe(listener);
  }

  /** Resolves when the system has disconnected the device or failed to. */
  closeLink(deviceId: string): Promise<void> {
    // If disconnecting fails, the link is already closed, or the next connect reports the failure.
    const disconnected = this.client.disconnect(deviceId).catch(() => undefined);
    const settled =
      this.platform === 'web'
        ? disconnected.then(
            () => new Promise<void>((resolve) => setTimeout(resolve, DISCONNECT_SETTLE_MS)),
          )
        : disconnected;
    this.disconnecting.set(deviceId, settled);
    return disconnected;
  }

  /** Resolves when a pending disconnect of the device has ended. Connecting earlier would fail. */
  async whenDisconnected(deviceId: string): Promise<void> {
    await this.disconnecting.get(deviceId);
  }

  /**
   * Initializes the plugin, which requests the permission if needed. On phones only once, because a second call would
   * make iOS drop its open links. In browsers every time, because the call reports whether there is a radio.
   */
  start(): Promise<void> {
    if (this.platform === 'web') return this.client.initialize();
    this.started ??= this.startOnce().catch((error: unknown) => {
      // Retry next time, because the user may grant the permission later.
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  private async startOnce(): Promise<void> {
    await this.client.initialize({ androidNeverForLocation: true });
    await this.client.startEnabledNotifications((isOn) => this.switched(isOn));
  }

  /** Filters duplicates: Android reports every stage between on and off. */
  private switched(isOn: boolean): void {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.switchedTo.emit(isOn);
  }
}
