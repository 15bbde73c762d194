/** A test double for the Capacitor plugin on a phone with a recorder from another manufacturer in range. */
import type { EmulatedGatt } from '@linnet/device/testing';
import type { Client } from '../capacitor-ble/index.ts';
import { PhonePlugin } from './phone-plugin.ts';

const properties = {
  broadcast: false,
  read: true,
  writeWithoutResponse: false,
  write: true,
  notify: true,
  indicate: false,
  authenticatedSignedWrites: false,
};

const toDataView = (bytes: Uint8Array) => new DataView(Uint8Array.from(bytes).buffer);

export class PhoneWithRecorder extends PhonePlugin {
  private readonly recorder: EmulatedGatt;
  private readonly listeners = new Map<string, (value: DataView) => void>();
  /** Whether another app on the phone is connected to the recorder, which both can use. */
  isUsedElsewhere = false;

  constructor(recorder: EmulatedGatt) {
    super();
    this.recorder = recorder;
    this.services = recorder.services.map(({ uuid, characteristics }) => ({
      // iOS reports uppercase UUIDs.
      uuid: uuid.toUpperCase(),
      characteristics: characteristics.map((each) => ({
        uuid: each.uuid.toUpperCase(),
        properties,
        descriptors: [],
      })),
    }));
  }

  /** Like a phone, reports only devices that advertise one of the services. A connected recorder doesn't advertise. */
  override async requestLEScan(...args: Parameters<Client['requestLEScan']>): Promise<void> {
    const { name, mac, advertised, isConnected } = this.recorder;
    const [{ services = [] }] = args;
    const isAdvertising = !isConnected && !this.isUsedElsewhere;
    const isInRange = isAdvertising && advertised.some((uuid) => services.includes(uuid));
    const device = { deviceId: mac, name };
    this.scanResults = isInRange ? [{ device, rssi: -60, uuids: [...advertised] }] : [];
    await super.requestLEScan(...args);
  }

  /** Like iOS, returns only devices that have one of the services. */
  override async getConnectedDevices(services: string[]): Promise<{ deviceId: string }[]> {
    const hasOne = this.recorder.services.some(({ uuid }) => services.includes(uuid));
    return this.isUsedElsewhere && hasOne ? [{ deviceId: this.recorder.mac }] : [];
  }

  override async connect(...args: Parameters<PhonePlugin['connect']>): Promise<void> {
    await super.connect(...args);
    this.recorder.connect({
      notification: (characteristic, value) =>
        this.listeners.get(characteristic)?.(toDataView(value)),
      closed: () => {
        this.listeners.clear();
        this.drop();
      },
    });
  }

  override async disconnect(deviceId: string): Promise<void> {
    if (this.recorder.isConnected) this.recorder.cut();
    await super.disconnect(deviceId);
  }

  override async read(_deviceId: string, _service: string, characteristic: string) {
    this.checkConnected();
    return toDataView(this.recorder.read(characteristic));
  }

  override async write(...args: Parameters<PhonePlugin['write']>): Promise<void> {
    this.checkConnected();
    const [, , characteristic, { buffer, byteOffset, byteLength }] = args;
    this.recorder.write(characteristic, new Uint8Array(buffer, byteOffset, byteLength).slice());
  }

  override async startNotifications(
    ...[, , characteristic, notify]: Parameters<PhonePlugin['startNotifications']>
  ): Promise<void> {
    this.checkConnected();
    this.listeners.set(characteristic, notify);
    this.recorder.setNotifying(characteristic, true);
  }

  override async stopNotifications(
    _deviceId: string,
    _service: string,
    characteristic: string,
  ): Promise<void> {
    this.checkConnected();
    this.listeners.delete(characteristic);
    this.recorder.setNotifying(characteristic, false);
  }

  private checkConnected(): void {
    if (!this.recorder.isConnected) throw new Error('Not connected to device.');
  }
}
