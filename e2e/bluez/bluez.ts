/**
 * An emulated `org.bluez` service on a private D-Bus. To Chromium, it looks like the system's Bluetooth daemon with one
 * recorder in range. It forwards all data between Chromium and the recorder.
 */
import type { Duplex } from 'node:stream';
import { Message, type MessageBus, sessionBus, Variant } from '@jellybrick/dbus-next';
import { PrivateBus } from './bus.ts';
import {
  ADAPTER,
  advertisedProperties,
  createDeviceObject,
  createGattObjects,
  createRootObjects,
  devicePath,
  type GattObjects,
  INTERFACE_NAME,
  type Interfaces,
} from './objects.ts';
import type { Advertisement, Peripheral, PeripheralLink } from './peripheral.ts';

/** Pause the recorder's radio when this many bytes are queued for the bus. */
const MAX_UNSENT_BYTES = 64 * 1024;
/** Interval between advertisements during discovery. */
const ADVERTISE_MS = 200;

/** The library's types omit the event `error`. */
type FailingBus = MessageBus & {
  once(event: 'error', listener: (error: unknown) => void): unknown;
};

export interface BluezOptions {
  /** Folder for the bus's socket. Defaults to the system's temporary folder. */
  readonly busAddressDir?: string;
  /** The recorder in range. */
  readonly peripheral: Peripheral;
  /** Other recorders in range with the same services. They refuse connections. */
  readonly others?: readonly Advertisement[];
  /** All advertisements have the same signal strength, so BlueZ reports only the first one in a search. */
  readonly isSteady?: boolean;
}

type Connection =
  | { readonly status: 'none' }
  | { readonly status: 'connected'; readonly link: PeripheralLink };

type Reply =
  | { readonly signature: string; readonly body: unknown[] }
  | { readonly error: string; readonly text: string };

const EMPTY_REPLY: Reply = { signature: '', body: [] };

export class EmulatedBluez {
  private readonly bus: PrivateBus;
  private readonly connection: MessageBus;
  private readonly options: BluezOptions;
  private readonly objects = createRootObjects();
  private device: string | undefined;
  private gatt: GattObjects | undefined;
  private powered = true;
  private isStopped = false;
  /** Change of the signal strength in dB. Alternates in sign. */
  private rssiChange = 1;
  private link: Connection = { status: 'none' };
  private advertising: NodeJS.Timeout | undefined;
  /** The bus names of the programs that search for devices. */
  private readonly searching = new Set<string>();

  private constructor(bus: PrivateBus, connection: MessageBus, options: BluezOptions) {
    this.bus = bus;
    this.connection = connection;
    this.options = options;
  }

  static async start(options: BluezOptions): Promise<EmulatedBluez> {
    const bus = await PrivateBus.start(options.busAddressDir);
    const connection: FailingBus = sessionBus({ busAddress: bus.address });
    await new Promise<void>((resolve, reject) => {
      connection.once('connect', resolve);
      connection.once('error', reject);
    });
    const bluez = new EmulatedBluez(bus, connection, options);
    connection.addMethodHandler((message: Message) => bluez.handle(message));
    await connection.requestName('org.bluez', 0);
    return bluez;
  }

  /** The value of the browser's `DBUS_SYSTEM_BUS_ADDRESS`. */
  get busAddress(): string {
    return this.bus.address;
  }

  get isConnected(): boolean {
    return this.link.status === 'connected';
  }

  /** Breaks the link, as if the recorder had moved out of range. */
  drop(): void {
    const { device } = this;
    if (this.link.status === 'none' || !device) return;
    const { link } = this.link;
    this.link = { status: 'none' };
    link.close();
    for (const path of this.gatt?.paths.values() ?? []) {
      this.setProperties(path, INTERFACE_NAME.characteristic, {
        Notifying: new Variant('b', false),
      });
    }
    // Keep the services, as for a bonded device. If a characteristic is removed during a write, Chromium's Bluetooth
    // service fails for the page.
    this.setProperties(device, INTERFACE_NAME.device, {
      Connected: new Variant('b', false),
      ServicesResolved: new Variant('b', false),
    });
  }

  /**
   * Turns the emulated adapter on or off. On Linux, a page in Chromium notices only lost links and failed connections.
   */
  setPower(isOn: boolean): void {
    if (!isOn) this.drop();
    this.powered = isOn;
    this.setProperties(ADAPTER, INTERFACE_NAME.adapter, { Powered: new Variant('b', isOn) });
  }

  /** Plugs in or unplugs the adapter, which makes Bluetooth available or unavailable. */
  setPluggedIn(isPluggedIn: boolean): void {
    if (isPluggedIn) {
      for (const [path, interfaces] of createRootObjects()) {
        if (!this.objects.has(path)) this.addObject(path, interfaces);
      }
      return;
    }
    this.drop();
    this.forget();
    this.removeObject(ADAPTER);
  }

  /** Forgets the recorder, as BlueZ does with disconnected devices that haven't advertised for a while. */
  forget(): void {
    for (const path of [...(this.gatt?.objects.keys() ?? [])].reverse()) this.removeObject(path);
    if (this.device) this.removeObject(this.device);
  }

  /** Starts a search from another program, and waits until it has found the devices in range. */
  async searchElsewhere(): Promise<void> {
    this.setSearching('another program', true);
    await this.advertise();
  }

  /** Stops the bus. Close the browser first: it crashes when its bus disappears. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.advertising);
    if (this.link.status === 'connected') this.link.link.close();
    this.link = { status: 'none' };
    this.connection.disconnect();
    await this.bus.stop();
  }

  private handle(message: Message): boolean {
    const isHandled =
      message.interface.startsWith('org.bluez.') ||
      message.interface === INTERFACE_NAME.manager ||
      message.interface === INTERFACE_NAME.properties;
    if (!isHandled) return false;
    this.respond(message).then(
      (answer) => this.reply(message, answer),
      (error: unknown) =>
        this.reply(message, { error: 'org.bluez.Error.Failed', text: String(error) }),
    );
    return true;
  }

  private reply(message: Message, answer: Reply): void {
    if (this.isStopped) return;
    this.connection.send(
      'error' in answer
        ? Message.newError(message, answer.error, answer.text)
        : Message.newMethodReturn(message, answer.signature, answer.body),
    );
  }

  private async respond(message: Message): Promise<Reply> {
    const { path, body, sender } = message;
    switch (`${message.interface}.${message.member}`) {
      case `${INTERFACE_NAME.manager}.GetManagedObjects`:
        return { signature: 'a{oa{sa{sv}}}', body: [Object.fromEntries(this.objects)] };
      case `${INTERFACE_NAME.properties}.GetAll`:
        return { signature: 'a{sv}', body: [this.objects.get(path)?.[String(body[0])] ?? {}] };
      case `${INTERFACE_NAME.properties}.Get`: {
        const value = this.objects.get(path)?.[String(body[0])]?.[String(body[1])];
        if (value) return { signature: 'v', body: [value] };
        return { error: 'org.freedesktop.DBus.Error.InvalidArgs', text: 'unknown property' };
      }
      case `${INTERFACE_NAME.properties}.Set`:
        if (body[2] instanceof Variant) {
          this.setProperties(path, String(body[0]), { [String(body[1])]: body[2] });
        }
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.adapter}.StartDiscovery`:
        this.setSearching(sender, true);
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.adapter}.StopDiscovery`:
        this.setSearching(sender, false);
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.device}.Connect`:
        if (!this.powered) return { error: 'org.bluez.Error.NotReady', text: 'powered off' };
        if (!this.objects.has(path)) {
          return { error: 'org.freedesktop.DBus.Error.UnknownObject', text: 'no such device' };
        }
        await this.connect(path);
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.device}.Disconnect`:
        this.drop();
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.characteristic}.WriteValue`:
        if (this.link.status === 'none') {
          return { error: 'org.bluez.Error.NotConnected', text: 'not connected' };
        }
        if (body[0] instanceof Uint8Array) {
          this.link.link.write(this.getUuid(path), new Uint8Array(body[0]));
        }
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.characteristic}.ReadValue`:
        if (this.link.status === 'none') {
          return { error: 'org.bluez.Error.NotConnected', text: 'not connected' };
        }
        return {
          signature: 'ay',
          body: [Buffer.from(this.link.link.read(this.getUuid(path)))],
        };
      case `${INTERFACE_NAME.characteristic}.StartNotify`:
        this.setNotifying(path, true);
        return EMPTY_REPLY;
      case `${INTERFACE_NAME.characteristic}.StopNotify`:
        this.setNotifying(path, false);
        return EMPTY_REPLY;
      default:
        return EMPTY_REPLY;
    }
  }

  private setNotifying(path: string, notifying: boolean): void {
    if (this.link.status === 'connected') {
      this.link.link.setNotifying(this.getUuid(path), notifying);
    }
    this.setProperties(path, INTERFACE_NAME.characteristic, {
      Notifying: new Variant('b', notifying),
    });
  }

  private getUuid(path: string): string {
    return String(this.objects.get(path)?.[INTERFACE_NAME.characteristic]?.UUID?.value ?? '');
  }

  /** Starts or ends a program's search. The recorder is advertised while there is one. */
  private setSearching(program: string, isSearching: boolean): void {
    const wasDiscovering = this.searching.size > 0;
    if (isSearching) this.searching.add(program);
    else this.searching.delete(program);
    const isDiscovering = this.searching.size > 0;
    if (isDiscovering === wasDiscovering) return;
    clearInterval(this.advertising);
    this.setProperties(ADAPTER, INTERFACE_NAME.adapter, {
      Discovering: new Variant('b', isDiscovering),
    });
    if (!isDiscovering) {
      this.forgetSignals();
      return;
    }
    void this.advertise();
    this.advertising = setInterval(() => void this.advertise(), ADVERTISE_MS);
  }

  /** Forgets the signal strengths, which BlueZ knows only while it searches. */
  private forgetSignals(): void {
    for (const [path, interfaces] of this.objects) {
      const device = interfaces[INTERFACE_NAME.device];
      if (!device?.RSSI) continue;
      delete device.RSSI;
      const body = [INTERFACE_NAME.device, {}, ['RSSI']];
      this.sendSignal(path, INTERFACE_NAME.properties, 'PropertiesChanged', 'sa{sv}as', body);
    }
  }

  private async advertise(): Promise<void> {
    const { peripheral, others = [] } = this.options;
    for (const other of others) {
      this.announce(devicePath(other.mac), other, this.rssiChange);
    }
    const advertisement = await peripheral.advertise();
    if (!advertisement) return;
    const device = devicePath(advertisement.mac);
    this.device = device;
    this.gatt ??= createGattObjects(device, peripheral.services);
    // Chromium ignores an advertisement that doesn't change the signal strength.
    this.rssiChange = -this.rssiChange;
    this.announce(device, advertisement, this.rssiChange);
  }

  private announce(path: string, advertisement: Advertisement, rssiChange: number): void {
    const { peripheral, isSteady = false } = this.options;
    const rssi = advertisement.rssi + (isSteady ? 0 : rssiChange);
    const received = { ...advertisement, rssi };
    const known = this.objects.get(path)?.[INTERFACE_NAME.device];
    if (!known) this.addObject(path, createDeviceObject(received, peripheral.advertised));
    else if (known.RSSI?.value !== rssi) {
      this.setProperties(path, INTERFACE_NAME.device, advertisedProperties(received));
    }
  }

  private async connect(path: string): Promise<void> {
    if (this.link.status === 'connected') return;
    const { device, gatt } = this;
    if (!device || !gatt) throw new Error('no advertisement received yet');
    if (path !== device) throw new Error('refused');
    const link = await this.options.peripheral.connect({
      notification: (uuid, bytes) => this.forwardNotification(gatt.paths.get(uuid) ?? '', bytes),
      closed: () => this.drop(),
    });
    this.link = { status: 'connected', link };
    // BlueZ sets this property before the call returns. If it is set later, Chromium closes the link.
    this.setProperties(device, INTERFACE_NAME.device, { Connected: new Variant('b', true) });
    setImmediate(() => {
      if (this.link.status === 'none') return;
      for (const [path, interfaces] of gatt.objects) {
        if (!this.objects.has(path)) this.addObject(path, interfaces);
      }
      this.setProperties(device, INTERFACE_NAME.device, {
        ServicesResolved: new Variant('b', true),
      });
    });
  }

  private forwardNotification(path: string, bytes: Buffer): void {
    if (this.link.status === 'none') return;
    this.sendSignal(path, INTERFACE_NAME.properties, 'PropertiesChanged', 'sa{sv}as', [
      INTERFACE_NAME.characteristic,
      { Value: new Variant('ay', bytes) },
      [],
    ]);
    this.pauseIfFull(this.link.link);
  }

  /**
   * Pauses the link while the bus is congested. The library doesn't expose its socket, so this reads a private field.
   */
  private pauseIfFull(link: PeripheralLink): void {
    const { stream } = (this.connection as unknown as { _connection: { stream: Duplex } })
      ._connection;
    if (stream.writableLength < MAX_UNSENT_BYTES) return;
    link.pause();
    stream.once('drain', () => link.resume());
  }

  private addObject(path: string, interfaces: Interfaces): void {
    this.objects.set(path, interfaces);
    this.sendSignal('/', INTERFACE_NAME.manager, 'InterfacesAdded', 'oa{sa{sv}}', [
      path,
      interfaces,
    ]);
  }

  private removeObject(path: string): void {
    const interfaces = this.objects.get(path);
    if (!interfaces) return;
    this.objects.delete(path);
    const names = Object.keys(interfaces);
    this.sendSignal('/', INTERFACE_NAME.manager, 'InterfacesRemoved', 'oas', [path, names]);
  }

  private setProperties(path: string, name: string, change: Record<string, Variant>): void {
    const properties = this.objects.get(path)?.[name];
    if (!properties) return;
    Object.assign(properties, change);
    const body = [name, change, []];
    this.sendSignal(path, INTERFACE_NAME.properties, 'PropertiesChanged', 'sa{sv}as', body);
  }

  private sendSignal(
    path: string,
    name: string,
    member: string,
    signature: string,
    body: unknown[],
  ) {
    if (this.isStopped) return;
    this.connection.send(Message.newSignal(path, name, member, signature, body));
  }
}
