/** Manages the phone's Bluetooth radio: permission, state, and the order of disconnects and connects. */

import type { BleClient } from '@capacitor-community/bluetooth-le';
import { Emitter } from '@linnet/base';
import { TransportError, type Unsubscribe } from '@linnet/device/transport';
import { DISCONNECT_SETTLE_MS } from '../disconnect-settle.ts';
import { toTransportError } from './errors.ts';

export type Platform = 'android' | 'ios' | 'web';

/** The subset of the plugin used by this adapter. */
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
  | 'read'
  | 'startNotifications'
  | 'stopNotifications'
  | 'write'
  | 'writeWithoutResponse'
>;

export class PhoneRadio {
  readonly client: Client;
  readonly platform: Platform;
  private startPromise: Promise<void> | undefined;
  private isOn: boolean | undefined;
  private readonly switchEvents = new Emitter<[isOn: boolean]>();
  /** Disconnects in progress, by device ID. */
  private readonly disconnecting = new Map<string, Promise<void>>();

  constructor(client: Client, platform: Platform) {
    this.client = client;
    this.platform = platform;
    // Disable the plugin's global queue, in which a pending connect would block the call that cancels it. Each link has
    // its own queue.
    client.disableQueue();
  }

  /**
   * Asks for permission if needed, and checks that the radio is on.
   * @throws {TransportError} `radio_off`, `permission_denied`, `unsupported`, `insecure_context`
   */
  async checkOn(): Promise<void> {
    try {
      await this.start();
      if (!(await this.client.isEnabled())) throw new TransportError('radio_off');
    } catch (error) {
      throw toTransportError('start', error);
    }
  }

  /**
   * Calls the listener once per change, if the system reports changes. Phones report them only after the radio was
   * first used.
   */
  onSwitched(listener: (isOn: boolean) => void): Unsubscribe {
    return this.switchEvents.subscribe(listener);
  }

  /** Disconnects a device. Resolves once that has either succeeded or failed. */
  closeLink(deviceId: string): Promise<void> {
    // If this fails, the link is already closed, or the next connect will report the failure.
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

  /** Resolves once a pending disconnect of the device has ended. Connecting before that would fail. */
  async whenDisconnected(deviceId: string): Promise<void> {
    await this.disconnecting.get(deviceId);
  }

  /**
   * Initializes the plugin, which asks for permission if needed. On phones, this happens only once, because a second
   * call would make iOS drop its open links. In browsers, it happens every time, because the call reports whether there
   * is a radio.
   */
  start(): Promise<void> {
    if (this.platform === 'web') return this.client.initialize();
    this.startPromise ??= this.startOnce().catch((error: unknown) => {
      // Let the next call try again, because the user may grant permission later.
      this.startPromise = undefined;
      throw error;
    });
    return this.startPromise;
  }

  private async startOnce(): Promise<void> {
    await this.client.initialize({ androidNeverForLocation: true });
    await this.client.startEnabledNotifications((isOn) => this.handleSwitch(isOn));
  }

  /** Emits changes in the radio state. Ignores repeats, because Android reports every stage between on and off. */
  private handleSwitch(isOn: boolean): void {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.switchEvents.emit(isOn);
  }
}
