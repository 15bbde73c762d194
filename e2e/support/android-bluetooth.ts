/**
 * The phone's Bluetooth of the emulated Android app, with one emulated recorder from another manufacturer in range. It
 * replaces the Java code of the plugin.
 */
import { fromHex, toHex } from '@linnet/base';
import type { EmulatedGatt } from '@linnet/device/testing';
import { AndroidPhone, type PluginCall } from './android-phone.ts';

/** The MTU that Android reports. */
const MTU = 247;

export class AndroidBluetooth {
  readonly #recorder: EmulatedGatt;
  #phone: AndroidPhone | undefined;

  private constructor(recorder: EmulatedGatt) {
    this.#recorder = recorder;
  }

  /** Makes every document that `page` loads from now on run as if inside the Android app. */
  static async install(
    page: Parameters<typeof AndroidPhone.install>[0],
    recorder: EmulatedGatt,
  ): Promise<AndroidPhone> {
    const bluetooth = new AndroidBluetooth(recorder);
    const phone = await AndroidPhone.install(page, (call) => {
      if (call.plugin === 'BluetoothLe') return bluetooth.#handle(call);
      return call.plugin === 'Files' && call.method === 'shared' ? { files: [] } : null;
    });
    bluetooth.#phone = phone;
    return phone;
  }

  #emit(event: string, data: unknown): void {
    void this.#phone?.emit('BluetoothLe', event, data);
  }

  #handle({ method, options }: PluginCall): unknown {
    const recorder = this.#recorder;
    const text = (name: string) => String(options[name]);
    switch (method) {
      case 'isEnabled':
        return { value: true };
      case 'requestLEScan':
        this.#advertise(options.services as readonly string[]);
        return null;
      case 'getConnectedDevices':
        return { devices: recorder.isConnected ? [{ deviceId: recorder.mac }] : [] };
      case 'connect':
        this.#connect();
        return null;
      case 'disconnect':
        recorder.cut();
        return null;
      case 'getServices':
        return { services: recorder.services };
      case 'getMtu':
        return { value: MTU };
      case 'read':
        return { value: toHex(recorder.read(text('characteristic'))) };
      case 'write':
        recorder.write(text('characteristic'), fromHex(text('value').replaceAll(' ', '')));
        return null;
      case 'startNotifications':
      case 'stopNotifications':
        recorder.setNotifying(text('characteristic'), method === 'startNotifications');
        return null;
      default:
        return null;
    }
  }

  /** Reports the recorder if it advertises one of the services. A connected recorder doesn't. */
  #advertise(services: readonly string[]): void {
    const { name, mac, advertised, isConnected } = this.#recorder;
    if (isConnected || !advertised.some((uuid) => services.includes(uuid))) return;
    this.#emit('onScanResult', { device: { deviceId: mac, name }, rssi: -60, uuids: advertised });
  }

  /** Connects, unless an earlier document has. Like the plugin, keeps the connection when the page is loaded again. */
  #connect(): void {
    if (this.#recorder.isConnected) return;
    const { mac, services } = this.#recorder;
    const findService = (characteristic: string) =>
      services.find(({ characteristics }) =>
        characteristics.some(({ uuid }) => uuid === characteristic),
      )?.uuid;
    this.#recorder.connect({
      notification: (characteristic, value) =>
        this.#emit(`notification|${mac}|${findService(characteristic)}|${characteristic}`, {
          value: toHex(value),
        }),
      closed: () => this.#emit(`disconnected|${mac}`, {}),
    });
  }
}
