/** The `org.bluez` objects that Chromium uses, with the properties it reads. */
import { Variant } from '@jellybrick/dbus-next';
import type { EmulatedService } from '@linnet/device/testing';
import type { Advertisement } from './peripheral.ts';

/** A D-Bus object's properties, keyed by interface and then by name. */
export type Interfaces = Record<string, Record<string, Variant>>;

export const ADAPTER = '/org/bluez/hci0';
export const INTERFACE_NAME = {
  adapter: 'org.bluez.Adapter1',
  device: 'org.bluez.Device1',
  service: 'org.bluez.GattService1',
  characteristic: 'org.bluez.GattCharacteristic1',
  descriptor: 'org.bluez.GattDescriptor1',
  manager: 'org.freedesktop.DBus.ObjectManager',
  properties: 'org.freedesktop.DBus.Properties',
} as const;

/** The UUID of the Client Characteristic Configuration descriptor, assigned by the Bluetooth SIG. */
const CCCD_UUID = '00002902-0000-1000-8000-00805f9b34fb';
/** The MTU that BlueZ reports, large enough for the radio model's largest payload. Web Bluetooth doesn't expose it. */
const MTU = 517;

/** Returns the object path of the device with the given address. */
export function devicePath(mac: string): string {
  return `${ADAPTER}/dev_${mac.replaceAll(':', '_')}`;
}

export function createRootObjects(): Map<string, Interfaces> {
  const adapter = {
    Address: new Variant('s', '02:00:00:00:00:01'),
    AddressType: new Variant('s', 'public'),
    Name: new Variant('s', 'emulated'),
    Alias: new Variant('s', 'emulated'),
    Class: new Variant('u', 0),
    Powered: new Variant('b', true),
    Discoverable: new Variant('b', false),
    DiscoverableTimeout: new Variant('u', 0),
    Pairable: new Variant('b', false),
    PairableTimeout: new Variant('u', 0),
    Discovering: new Variant('b', false),
    UUIDs: new Variant('as', []),
    Roles: new Variant('as', ['central', 'peripheral']),
  };
  return new Map<string, Interfaces>([
    ['/org/bluez', { 'org.bluez.AgentManager1': {}, 'org.bluez.ProfileManager1': {} }],
    [ADAPTER, { [INTERFACE_NAME.adapter]: adapter }],
  ]);
}

/** Returns the device properties that an advertisement can change. */
export function advertisedProperties({ rssi, data }: Advertisement): Record<string, Variant> {
  const properties = { RSSI: new Variant('n', rssi) };
  if (!data) return properties;
  const bytes = new Variant('ay', Buffer.from(data.bytes));
  return { ...properties, ManufacturerData: new Variant('a{qv}', { [data.companyId]: bytes }) };
}

/** @param services the UUIDs that the device advertises */
export function createDeviceObject(
  advertisement: Advertisement,
  services: readonly string[],
): Interfaces {
  return {
    [INTERFACE_NAME.device]: {
      Address: new Variant('s', advertisement.mac),
      AddressType: new Variant('s', 'random'),
      Name: new Variant('s', advertisement.name),
      Alias: new Variant('s', advertisement.name),
      Paired: new Variant('b', false),
      Bonded: new Variant('b', false),
      Trusted: new Variant('b', false),
      Blocked: new Variant('b', false),
      LegacyPairing: new Variant('b', false),
      Connected: new Variant('b', false),
      ServicesResolved: new Variant('b', false),
      UUIDs: new Variant('as', [...services]),
      Adapter: new Variant('o', ADAPTER),
      ...advertisedProperties(advertisement),
    },
  };
}

/** A device's GATT objects, and the paths of its characteristics. */
export type GattObjects = {
  /** The objects in the order in which BlueZ announces them: parents before children. */
  readonly objects: ReadonlyMap<string, Interfaces>;
  /** The path of each characteristic, by its UUID. */
  readonly paths: ReadonlyMap<string, string>;
};

function createCharacteristic(
  service: string,
  { uuid, flags }: EmulatedService['characteristics'][number],
): Interfaces {
  return {
    [INTERFACE_NAME.characteristic]: {
      UUID: new Variant('s', uuid),
      Service: new Variant('o', service),
      Value: new Variant('ay', Buffer.alloc(0)),
      Notifying: new Variant('b', false),
      Flags: new Variant('as', [...flags]),
      MTU: new Variant('q', MTU),
    },
  };
}

function createDescriptor(characteristic: string): Interfaces {
  return {
    [INTERFACE_NAME.descriptor]: {
      UUID: new Variant('s', CCCD_UUID),
      Characteristic: new Variant('o', characteristic),
      Value: new Variant('ay', Buffer.alloc(0)),
      Flags: new Variant('as', []),
    },
  };
}

/** Creates the GATT objects of a device. */
export function createGattObjects(
  device: string,
  services: readonly EmulatedService[],
): GattObjects {
  const objects = new Map<string, Interfaces>();
  const paths = new Map<string, string>();
  let handle = 10;
  const nextHandle = () => (handle++).toString(16).padStart(4, '0');
  for (const { uuid, characteristics } of services) {
    const service = `${device}/service${nextHandle()}`;
    objects.set(service, {
      [INTERFACE_NAME.service]: {
        UUID: new Variant('s', uuid),
        Device: new Variant('o', device),
        Primary: new Variant('b', true),
        Includes: new Variant('ao', []),
      },
    });
    for (const characteristic of characteristics) {
      const path = `${service}/char${nextHandle()}`;
      paths.set(characteristic.uuid, path);
      objects.set(path, createCharacteristic(service, characteristic));
      if (characteristic.flags.includes('notify')) {
        objects.set(`${path}/desc${nextHandle()}`, createDescriptor(path));
      }
    }
  }
  return { objects, paths };
}
