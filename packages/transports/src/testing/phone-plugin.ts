/**
 * A test double for the Capacitor plugin's native implementations, for behavior the web implementation lacks. Results
 * and error messages are copied from the version 8.3 sources (`BluetoothLe.kt`, `Device.kt`, `Plugin.swift`,
 * `DeviceManager.swift`).
 */
import type { ScanResult } from '@capacitor-community/bluetooth-le';
import { NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import type { Client } from '../capacitor-ble/index.ts';
import { Inbox } from './inbox.ts';

const properties = {
  broadcast: false,
  read: false,
  writeWithoutResponse: true,
  write: true,
  notify: true,
  indicate: false,
  authenticatedSignedWrites: false,
};
const recorderServices = [
  {
    // iOS reports uppercase UUIDs.
    uuid: SERVICE_UUID.toUpperCase(),
    characteristics: [WRITE_UUID, NOTIFY_UUID].map((uuid) => ({
      uuid: uuid.toUpperCase(),
      properties: properties,
      descriptors: [],
    })),
  },
];

/** Rejects as the plugin does, with only a message. */
const rejectWith = (message: string) => Promise.reject(new Error(message));

export class PhonePlugin implements Client {
  /** The calls in order, for assertions. */
  readonly calls: string[] = [];
  readonly inbox = new Inbox();
  isOn = true;
  /** The error message with which `initialize` should fail, if any. */
  initializeError: string | undefined;
  /** True if the user declines to turn Bluetooth on. */
  userDeclines = false;
  mtu = 512;
  /** The value of every characteristic that's read. */
  value = Uint8Array.of(0);
  services = recorderServices;
  /** Results that a scan reports, one by one. */
  scanResults: ScanResult[] = [];
  connectedElsewhere: string[] = [];
  connectError: string | undefined;
  /** Delays `isEnabled` until it resolves. */
  radioCheck: Promise<void> = Promise.resolve();
  /** Delays the start of `requestLEScan` until it resolves. */
  scanStart: Promise<void> = Promise.resolve();
  /** True if `connect` and writes never settle, as on an unresponsive phone. */
  isUnresponsive = false;
  private initializeCount = 0;
  private scanning: ((result: ScanResult) => void) | undefined;
  private onSwitched: ((isOn: boolean) => void) | undefined;
  private link: {
    onDisconnected?: (deviceId: string) => void;
    notify?: (value: DataView) => void;
  } = {};
  private linked: string | undefined;

  disableQueue(): void {
    this.calls.push('disableQueue');
  }

  async initialize(options?: { androidNeverForLocation?: boolean }): Promise<void> {
    this.calls.push(`initialize ${JSON.stringify(options ?? {})}`);
    if (this.initializeError) return rejectWith(this.initializeError);
    this.initializeCount += 1;
  }

  async isEnabled(): Promise<boolean> {
    await this.radioCheck;
    return this.initializeCount > 0 ? this.isOn : rejectWith('Bluetooth LE not initialized.');
  }

  async startEnabledNotifications(callback: (isOn: boolean) => void): Promise<void> {
    this.onSwitched = callback;
  }

  /** Turns Bluetooth on or off. Like Android, reports an extra stage. */
  switch(isOn: boolean): void {
    this.isOn = isOn;
    this.onSwitched?.(false);
    this.onSwitched?.(isOn);
  }

  async requestEnable(): Promise<void> {
    if (this.initializeCount === 0) return rejectWith('Bluetooth LE not initialized.');
    if (this.userDeclines) return rejectWith('requestEnable failed.');
    this.calls.push('requestEnable');
    this.switch(true);
  }

  async openBluetoothSettings(): Promise<void> {
    this.calls.push('openBluetoothSettings');
  }

  async openAppSettings(): Promise<void> {
    this.calls.push('openAppSettings');
  }

  requestDevice(): Promise<never> {
    throw new Error('phones scan');
  }

  getDevices(): Promise<never> {
    throw new Error('phones scan');
  }

  async requestLEScan(
    options: Parameters<Client['requestLEScan']>[0],
    callback: (result: ScanResult) => void,
  ): Promise<void> {
    this.calls.push(`requestLEScan ${JSON.stringify(options)}`);
    if (this.scanning) return rejectWith('Already scanning. Stopping now.');
    await this.scanStart;
    this.scanning = callback;
    for (const result of this.scanResults) callback(result);
  }

  get isScanning(): boolean {
    return this.scanning !== undefined;
  }

  async stopLEScan(): Promise<void> {
    this.calls.push('stopLEScan');
    this.scanning = undefined;
  }

  async getConnectedDevices(_services: string[]): Promise<{ deviceId: string }[]> {
    return this.connectedElsewhere.map((deviceId) => ({ deviceId }));
  }

  async connect(
    deviceId: string,
    onDisconnected?: (deviceId: string) => void,
    options?: object,
  ): Promise<void> {
    this.calls.push(`connect ${deviceId} ${JSON.stringify(options)}`);
    if (this.isUnresponsive) return new Promise(() => undefined);
    if (this.connectError) return rejectWith(this.connectError);
    this.link = onDisconnected ? { onDisconnected } : {};
    this.linked = deviceId;
  }

  async disconnect(deviceId: string): Promise<void> {
    this.calls.push(`disconnect ${deviceId}`);
    this.drop();
  }

  async getServices(): Promise<typeof recorderServices> {
    return this.services;
  }

  async getMtu(): Promise<number> {
    return this.mtu;
  }

  async startNotifications(
    _deviceId: string,
    _service: string,
    _characteristic: string,
    notify: (value: DataView) => void,
  ): Promise<void> {
    if (!this.linked) return rejectWith('Not connected to device.');
    this.link = { ...this.link, notify };
  }

  async stopNotifications(
    _deviceId: string,
    _service: string,
    _characteristic: string,
  ): Promise<void> {
    const { notify: _, ...link } = this.link;
    this.link = link;
  }

  async read(_deviceId: string, _service: string, _characteristic: string): Promise<DataView> {
    if (!this.linked) return rejectWith('Not connected to device.');
    return new DataView(this.value.buffer);
  }

  async write(
    _deviceId: string,
    _service: string,
    _characteristic: string,
    value: DataView,
  ): Promise<void> {
    if (!this.linked) return rejectWith('Not connected to device.');
    if (this.isUnresponsive) return new Promise(() => undefined);
    this.inbox.put(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }

  writeWithoutResponse(...args: Parameters<PhonePlugin['write']>): Promise<void> {
    return this.write(...args);
  }

  notify(bytes: Uint8Array): void {
    const copy = bytes.slice();
    this.link.notify?.(new DataView(copy.buffer));
  }

  drop(): void {
    const deviceId = this.linked;
    this.linked = undefined;
    if (deviceId) this.link.onDisconnected?.(deviceId);
  }
}
