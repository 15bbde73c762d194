/**
 * Test double of the Capacitor plugin's native halves, for behavior that the web half does not have. Results and
 * error sentences are those in the sources of version 8.3 (`BluetoothLe.kt`, `Device.kt`, `Plugin.swift`,
 * `DeviceManager.swift`).
 */
import type { ScanResult } from '@capacitor-community/bluetooth-le';
import { NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import type { Client } from '../capacitor-ble/index.ts';
import { Inbox } from './inbox.ts';

const plain = {
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
      properties: plain,
      descriptors: [],
    })),
  },
];

/** The plugin's errors consist of a sentence only. */
const refuse = (sentence: string) => Promise.reject(new Error(sentence));

export class PhonePlugin implements Client {
  /** Recorded calls in order, for assertions. */
  readonly calls: string[] = [];
  readonly inbox = new Inbox();
  isOn = true;
  /** Error of `initialize`, if it should fail. */
  refusal: string | undefined;
  /** Whether the user declines to turn Bluetooth on. */
  declines = false;
  mtu = 512;
  services = recorderServices;
  /** Scan results, reported one by one. */
  onAir: ScanResult[] = [];
  connectedElsewhere: string[] = [];
  connectFails: string | undefined;
  /** The delay of `isEnabled` and of the start of `requestLEScan`. */
  radioCheck: Promise<void> = Promise.resolve();
  scanStart: Promise<void> = Promise.resolve();
  /** Leaves `connect` and writes pending, like an unresponsive phone. */
  isMute = false;
  private initialized = 0;
  private scanning: ((result: ScanResult) => void) | undefined;
  private onSwitched: ((isOn: boolean) => void) | undefined;
  private link: { onGone?: (deviceId: string) => void; notify?: (value: DataView) => void } = {};
  private linked: string | undefined;

  disableQueue(): void {
    this.calls.push('disableQueue');
  }

  async initialize(options?: { androidNeverForLocation?: boolean }): Promise<void> {
    this.calls.push(`initialize ${JSON.stringify(options ?? {})}`);
    if (this.refusal) return refuse(this.refusal);
    this.initialized += 1;
  }

  async isEnabled(): Promise<boolean> {
    await this.radioCheck;
    return this.initialized > 0 ? this.isOn : refuse('Bluetooth LE not initialized.');
  }

  async startEnabledNotifications(callback: (isOn: boolean) => void): Promise<void> {
    this.onSwitched = callback;
  }

  /** Android reports every stage. */
  switch(isOn: boolean): void {
    this.isOn = isOn;
    this.onSwitched?.(false);
    this.onSwitched?.(isOn);
  }

  async requestEnable(): Promise<void> {
    if (this.initialized === 0) return refuse('Bluetooth LE not initialized.');
    if (this.declines) return refuse('requestEnable failed.');
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
    if (this.scanning) return refuse('Already scanning. Stopping now.');
    await this.scanStart;
    this.scanning = callback;
    for (const result of this.onAir) callback(result);
  }

  get isScanning(): boolean {
    return this.scanning !== undefined;
  }

  async stopLEScan(): Promise<void> {
    this.calls.push('stopLEScan');
    this.scanning = undefined;
  }

  async getConnectedDevices(): Promise<{ deviceId: string }[]> {
    return this.connectedElsewhere.map((deviceId) => ({ deviceId }));
  }

  async connect(
    deviceId: string,
    onGone?: (deviceId: string) => void,
    options?: object,
  ): Promise<void> {
    this.calls.push(`connect ${deviceId} ${JSON.stringify(options)}`);
    if (this.isMute) return new Promise(() => undefined);
    if (this.connectFails) return refuse(this.connectFails);
    this.link = onGone ? { onGone } : {};
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
    if (!this.linked) return refuse('Not connected to device.');
    this.link = { ...this.link, notify };
  }

  async write(
    _deviceId: string,
    _service: string,
    _characteristic: string,
    value: DataView,
  ): Promise<void> {
    if (!this.linked) return refuse('Not connected to device.');
    if (this.isMute) return new Promise(() => undefined);
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
    const gone = this.linked;
    this.linked = undefined;
    if (gone) this.link.onGone?.(gone);
  }
}
