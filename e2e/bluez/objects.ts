/** The `org.bluez` objects that Chromium uses, with the properties it reads. */
import { NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from '@linnet/device/codec';
import { Variant } from 'dbus-next';

/** A D-Bus object's properties, keyed by interface and then by name. */
export type Interfaces = Record<string, Record<string, Variant>>;

export const ADAPTER = '/org/bluez/hci0';
export const SERVICE_NAME = {
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

export function createDevicePaths(mac: string) {
  const device = `${ADAPTER}/dev_${mac.replaceAll(':', '_')}`;
  const service = `${device}/service000a`;
  return {
    device,
    service,
    write: `${service}/char000b`,
    notify: `${service}/char000d`,
    cccd: `${service}/char000d/desc000f`,
  };
}
export type DevicePaths = ReturnType<typeof createDevicePaths>;

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
    [ADAPTER, { [SERVICE_NAME.adapter]: adapter }],
  ]);
}

export function createDeviceObject(advertisement: {
  mac: string;
  name: string;
  rssi: number;
}): Interfaces {
  return {
    [SERVICE_NAME.device]: {
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
      UUIDs: new Variant('as', [SERVICE_UUID]),
      Adapter: new Variant('o', ADAPTER),
      RSSI: new Variant('n', advertisement.rssi),
    },
  };
}

/** Creates the GATT objects of a device, parents before children, in the order in which BlueZ announces them. */
export function createGattObjects(paths: DevicePaths): Map<string, Interfaces> {
  const characteristic = (uuid: string, flags: string[]): Interfaces => ({
    [SERVICE_NAME.characteristic]: {
      UUID: new Variant('s', uuid),
      Service: new Variant('o', paths.service),
      Value: new Variant('ay', Buffer.alloc(0)),
      Notifying: new Variant('b', false),
      Flags: new Variant('as', flags),
      MTU: new Variant('q', MTU),
    },
  });
  return new Map<string, Interfaces>([
    [
      paths.service,
      {
        [SERVICE_NAME.service]: {
          UUID: new Variant('s', SERVICE_UUID),
          Device: new Variant('o', paths.device),
          Primary: new Variant('b', true),
          Includes: new Variant('ao', []),
        },
      },
    ],
    [paths.write, characteristic(WRITE_UUID, ['write', 'write-without-response'])],
    [paths.notify, characteristic(NOTIFY_UUID, ['notify'])],
    [
      paths.cccd,
      {
        [SERVICE_NAME.descriptor]: {
          UUID: new Variant('s', CCCD_UUID),
          Characteristic: new Variant('o', paths.notify),
          Value: new Variant('ay', Buffer.alloc(0)),
          Flags: new Variant('as', []),
        },
      },
    ],
  ]);
}
