/**
 * The wire layouts of Omi's recorders, as data. Derived from the public description of the protocol and the public
 * firmware; not tested on a recorder. Multi-byte values are little-endian unless noted otherwise.
 */
import type { GattCharacteristic, GattProfile } from '@linnet/device/gatt';

const audioService = '19b10000-e8f2-537e-4f6c-d104768a1214';
const settingsService = '19b10010-e8f2-537e-4f6c-d104768a1214';
const timeService = '19b10030-e8f2-537e-4f6c-d104768a1214';
const storageService = '30295780-4301-eabd-2904-2849adfeae43';
const buttonService = '23ba7924-0000-1000-7450-346eac492e92';
const batteryService = '0000180f-0000-1000-8000-00805f9b34fb';
const informationService = '0000180a-0000-1000-8000-00805f9b34fb';

/** The service that an Omi advertises, and the optional ones. */
export const omiProfile: GattProfile = {
  service: audioService,
  optionalServices: [
    settingsService,
    timeService,
    storageService,
    buttonService,
    batteryService,
    informationService,
  ],
};

/** The characteristics that the app uses. */
export const characteristics = {
  /** Notifications: the audio. See {@link AUDIO_HEADER}. */
  audio: {
    service: audioService,
    characteristic: '19b10001-e8f2-537e-4f6c-d104768a1214',
  },
  /** Read: one byte, the codec's ID. */
  codec: {
    service: audioService,
    characteristic: '19b10002-e8f2-537e-4f6c-d104768a1214',
  },
  /** Read, notifications: one byte, 1 while charging. Development kits lack it. */
  charging: {
    service: settingsService,
    characteristic: '19b10013-e8f2-537e-4f6c-d104768a1214',
  },
  /** Write: four bytes, the time in seconds since 1970. Development kits lack it. */
  time: {
    service: timeService,
    characteristic: '19b10031-e8f2-537e-4f6c-d104768a1214',
  },
  /** Write: commands. Notifications: their responses and the stored audio. */
  storage: {
    service: storageService,
    characteristic: '30295781-4301-eabd-2904-2849adfeae43',
  },
  /** Read: the range of the stored audio. Its length identifies the storage layout. */
  stored: {
    service: storageService,
    characteristic: '30295782-4301-eabd-2904-2849adfeae43',
  },
  /**
   * Read, notifications: the button's state as two 32-bit integers. {@link buttonEvents} lists the values of the first.
   */
  button: {
    service: buttonService,
    characteristic: '23ba7925-0000-1000-7450-346eac492e92',
  },
  /** Read, notifications: one byte, the charge in percent. */
  battery: {
    service: batteryService,
    characteristic: '00002a19-0000-1000-8000-00805f9b34fb',
  },
  model: {
    service: informationService,
    characteristic: '00002a24-0000-1000-8000-00805f9b34fb',
  },
  firmware: {
    service: informationService,
    characteristic: '00002a26-0000-1000-8000-00805f9b34fb',
  },
  hardware: {
    service: informationService,
    characteristic: '00002a27-0000-1000-8000-00805f9b34fb',
  },
  manufacturer: {
    service: informationService,
    characteristic: '00002a29-0000-1000-8000-00805f9b34fb',
  },
} as const satisfies Readonly<Record<string, GattCharacteristic>>;

/** The header of a notification with audio. */
export const AUDIO_HEADER = {
  bytes: 3,
  /** Offset of the notification's 16-bit sequence number, which wraps to 0. */
  number: 0,
  /** Offset of the byte with the notification's position within its packet. */
  part: 2,
} as const;

/** The button events by number. */
const buttonEvents = {
  1: 'tap',
  2: 'double_tap',
  3: 'long_press',
  4: 'pressed',
  5: 'released',
} as const;
export type ButtonEvent = (typeof buttonEvents)[keyof typeof buttonEvents];

/** Decodes a notification of the button. Returns null if the event is unknown. */
export function readButton(bytes: Uint8Array): ButtonEvent | null {
  const events: Readonly<Record<number, ButtonEvent>> = buttonEvents;
  return events[bytes[0] ?? 0] ?? null;
}

/** Returns the charge in percent, or null if it's invalid. */
export function readBattery(bytes: Uint8Array): number | null {
  const [level] = bytes;
  return level !== undefined && level <= 100 ? level : null;
}
