/** A connection to BlueZ over D-Bus: calls its methods, and mirrors its objects. */

import {
  DBusError,
  Message,
  type MessageBus,
  MessageType,
  sessionBus,
  systemBus,
  Variant,
} from '@jellybrick/dbus-next';
import { Emitter } from '@linnet/base';
import { toBluezError } from './errors.ts';

const BLUEZ = 'org.bluez';
const DBUS = 'org.freedesktop.DBus';
const OBJECT_MANAGER = 'org.freedesktop.DBus.ObjectManager';
const PROPERTIES = 'org.freedesktop.DBus.Properties';

export const ADAPTER = 'org.bluez.Adapter1';
export const DEVICE = 'org.bluez.Device1';
export const SERVICE = 'org.bluez.GattService1';
export const CHARACTERISTIC = 'org.bluez.GattCharacteristic1';

/** The timeout of a BlueZ call, in milliseconds. */
const CALL_TIMEOUT_MS = 30_000;

/** The signals that update the mirrored objects. */
const matchRules = [
  `type='signal',sender='${BLUEZ}',interface='${OBJECT_MANAGER}'`,
  `type='signal',sender='${BLUEZ}',interface='${PROPERTIES}'`,
  `type='signal',sender='${DBUS}',member='NameOwnerChanged',arg0='${BLUEZ}'`,
];

type Properties = Map<string, unknown>;
type Interfaces = Map<string, Properties>;

export type Call = {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
  /** In milliseconds. */
  readonly timeoutMs?: number;
};

/** Returns the entries of a dictionary. D-Bus guarantees the type, but the library doesn't declare it. */
function entries(dictionary: unknown): [string, unknown][] {
  return typeof dictionary === 'object' && dictionary !== null ? Object.entries(dictionary) : [];
}

function readProperties(dictionary: unknown): Properties {
  return new Map(
    entries(dictionary).map(([name, value]) => [
      name,
      value instanceof Variant ? value.value : value,
    ]),
  );
}

function readInterfaces(dictionary: unknown): Interfaces {
  return new Map(entries(dictionary).map(([name, value]) => [name, readProperties(value)]));
}

/** The library's types omit the event `error`. */
type FailingBus = MessageBus & {
  on(event: 'error', listener: (error: unknown) => void): unknown;
};

/** Resolves once the library is connected to the bus. */
async function connect(bus: FailingBus): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    bus.once('connect', resolve);
    bus.on('error', reject);
  });
}

export class BluezBus {
  /** Emits a device's path when its advertisement arrives. */
  readonly seen = new Emitter<[path: string]>();
  /** Emits the notifications of a characteristic. */
  readonly notified = new Emitter<[path: string, bytes: Uint8Array]>();
  /** Emits after each change of the objects. */
  readonly changed = new Emitter();
  private readonly bus: MessageBus;
  private readonly objects = new Map<string, Interfaces>();

  private constructor(bus: MessageBus) {
    this.bus = bus;
  }

  /**
   * Connects to BlueZ.
   * @param address the address of the bus; undefined for the system's
   * @throws {BluezError} `no_bluez`, `access_denied`
   */
  static async open(address: string | undefined): Promise<BluezBus> {
    const bus: FailingBus =
      address === undefined ? systemBus() : sessionBus({ busAddress: address });
    const opened = new BluezBus(bus);
    try {
      // The connection can fail at any time. Calls in progress then end with their timeout.
      bus.on('error', () => opened.forgetObjects());
      await connect(bus);
      await opened.follow();
      return opened;
    } catch (error) {
      opened.close();
      throw toBluezError(error, 'no_bluez');
    }
  }

  close(): void {
    this.bus.disconnect();
  }

  /** @throws {DBusError} the error with which BlueZ answers, or `NoReply` after the timeout */
  async call({ timeoutMs = CALL_TIMEOUT_MS, ...call }: Call): Promise<readonly unknown[]> {
    return this.send({ destination: BLUEZ, ...call }, timeoutMs);
  }

  /** Returns a property, or undefined if the object lacks it. */
  property(path: string, name: string, property: string): unknown {
    return this.objects.get(path)?.get(name)?.get(property);
  }

  /** Returns the value of an entry in a dictionary property, or undefined if there is none. */
  entry(path: string, name: string, property: string, key: string): unknown {
    return readProperties(this.property(path, name, property)).get(key);
  }

  has(path: string): boolean {
    return this.objects.has(path);
  }

  isTrue(path: string, name: string, property: string): boolean {
    return this.property(path, name, property) === true;
  }

  /** Returns a string property, or an empty string if the object lacks it. */
  text(path: string, name: string, property: string): string {
    const value = this.property(path, name, property);
    return typeof value === 'string' ? value : '';
  }

  /** Returns the paths of the objects that implement an interface. */
  paths(name: string): string[] {
    return [...this.objects].filter(([, names]) => names.has(name)).map(([path]) => path);
  }

  /** Waits until the objects fulfill a condition. @returns false after the timeout */
  async until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    const fulfilled = Promise.withResolvers<boolean>();
    const check = () => {
      if (condition()) fulfilled.resolve(true);
    };
    const timer = setTimeout(() => fulfilled.resolve(false), timeoutMs);
    const unsubscribe = this.changed.subscribe(check);
    check();
    try {
      return await fulfilled.promise;
    } finally {
      clearTimeout(timer);
      unsubscribe();
    }
  }

  /** Reads the objects, and applies their changes. */
  private async follow(): Promise<void> {
    this.bus.on('message', (message: Message) => {
      if (message.type === MessageType.SIGNAL) this.handleSignal(message);
    });
    for (const rule of matchRules) {
      const destination = DBUS;
      const [path, member] = ['/org/freedesktop/DBus', 'AddMatch'];
      const call = { destination, path, interface: DBUS, member, signature: 's', body: [rule] };
      await this.send(call, CALL_TIMEOUT_MS);
    }
    const [objects] = await this.call({
      path: '/',
      interface: OBJECT_MANAGER,
      member: 'GetManagedObjects',
    });
    for (const [path, interfaces] of entries(objects)) {
      this.objects.set(path, readInterfaces(interfaces));
    }
  }

  private async send(
    { body = [], ...call }: Omit<Call, 'timeoutMs'> & { readonly destination: string },
    timeoutMs: number,
  ): Promise<readonly unknown[]> {
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const seconds = timeoutMs / 1000;
      timeout.reject(new DBusError(`${DBUS}.Error.NoReply`, `no reply within ${seconds} s`));
    }, timeoutMs);
    try {
      const reply = this.bus.call(new Message({ ...call, body: [...body] }));
      return (await Promise.race([reply, timeout.promise]))?.body ?? [];
    } finally {
      clearTimeout(timer);
    }
  }

  private handleSignal({ path, interface: name, member, body }: Message): void {
    const [first, second, third] = body;
    switch (`${name}.${member}`) {
      case `${OBJECT_MANAGER}.InterfacesAdded`:
        this.addInterfaces(String(first), readInterfaces(second));
        break;
      case `${OBJECT_MANAGER}.InterfacesRemoved`:
        this.removeInterfaces(String(first), Array.isArray(second) ? second : []);
        break;
      case `${PROPERTIES}.PropertiesChanged`:
        this.changeProperties(path, String(first), readProperties(second), third);
        break;
      case `${DBUS}.NameOwnerChanged`:
        // BlueZ has stopped or restarted.
        if (first === BLUEZ) this.forgetObjects();
        break;
    }
  }

  private addInterfaces(path: string, added: Interfaces): void {
    this.objects.set(path, new Map([...(this.objects.get(path) ?? []), ...added]));
    this.changed.emit();
    if (added.get(DEVICE)?.has('RSSI')) this.seen.emit(path);
  }

  private removeInterfaces(path: string, names: readonly unknown[]): void {
    const interfaces = this.objects.get(path);
    for (const name of names) interfaces?.delete(String(name));
    if (interfaces?.size === 0) this.objects.delete(path);
    this.changed.emit();
  }

  private changeProperties(
    path: string,
    name: string,
    changes: Properties,
    invalidated: unknown,
  ): void {
    const properties = this.objects.get(path)?.get(name);
    if (!properties) return;
    for (const [property, value] of changes) properties.set(property, value);
    for (const property of Array.isArray(invalidated) ? invalidated : []) {
      properties.delete(String(property));
    }
    if (name === CHARACTERISTIC) {
      const value = changes.get('Value');
      if (value instanceof Uint8Array) this.notified.emit(path, new Uint8Array(value));
    }
    this.changed.emit();
    if (name === DEVICE && changes.has('RSSI')) this.seen.emit(path);
  }

  private forgetObjects(): void {
    this.objects.clear();
    this.changed.emit();
  }
}
