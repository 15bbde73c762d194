/** The phone's Bluetooth as a whole: permission, on and off, and whose turn it is. */

import type { BleClient } from '@capacitor-community/bluetooth-le';
import { Emitter } from '@linnet/base';
import { TransportError, type Unsubscribe } from '@linnet/device/transport';
import { HANG_UP_MS } from '../hang-up.ts';
import { translate } from './errors.ts';

export type Platform = 'android' | 'ios' | 'web';

/** What this adapter uses of the plugin. */
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
  /** Links that are being hung up, by device. */
  private readonly leaving = new Map<string, Promise<void>>();

  constructor(client: Client, platform: Platform) {
    this.client = client;
    this.platform = platform;
    // The plugin's own queue is one for everything: a connection under way would hold up the call that
    // ends it. Each link here has a queue of its own instead.
    client.disableQueue();
  }

  /**
   * Asks for the permission when it is needed, and looks whether the radio is on.
   * @throws {TransportError} `radio_off`, `permission_denied`, `unsupported`, `insecure_context`
   */
  async mustBeOn(): Promise<void> {
    try {
      await this.start();
      if (!(await this.client.isEnabled())) throw new TransportError('radio_off');
    } catch (error) {
      throw translate('start', error);
    }
  }

  /** Tells each change once, where the system tells it: on phones, from the first use on. */
  onSwitched(listener: (isOn: boolean) => void): Unsubscribe {
    return this.switchedTo.subscribe(listener);
  }

  /** Resolves when the system has let go of the device, or given up. */
  hangUp(deviceId: string): Promise<void> {
    // What cannot be hung up is gone, or its next connection says what is wrong.
    const gone = this.client.disconnect(deviceId).catch(() => undefined);
    const free =
      this.platform === 'web'
        ? gone.then(() => new Promise<void>((resolve) => setTimeout(resolve, HANG_UP_MS)))
        : gone;
    this.leaving.set(deviceId, free);
    return gone;
  }

  /** A device is connected to again only when it was let go of. */
  async whenLeft(deviceId: string): Promise<void> {
    await this.leaving.get(deviceId);
  }

  /**
   * Asks for the permission when it is needed. Once on phones: a second time, iOS would forget its open links. Every time in a browser, where it
   * is what tells whether there is a radio.
   */
  start(): Promise<void> {
    if (this.platform === 'web') return this.client.initialize();
    this.started ??= this.startOnce().catch((error: unknown) => {
      // The owner may allow it later.
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  private async startOnce(): Promise<void> {
    await this.client.initialize({ androidNeverForLocation: true });
    await this.client.startEnabledNotifications((isOn) => this.switched(isOn));
  }

  /** Android counts every stage between on and off. */
  private switched(isOn: boolean): void {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.switchedTo.emit(isOn);
  }
}
