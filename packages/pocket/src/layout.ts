/**
 * The services and limits of Pocket's recorders. Derived from a public description, PROTOCOL.md of
 * shahcolate/pocket-libre; not tested on a recorder.
 */
import type { GattCharacteristic, GattProfile } from '@linnet/device/gatt';

const commandService = 'e49a3001-f69a-11e8-8eb2-f2801f1b9fd1';
const dataService = 'e49a25f8-f69a-11e8-8eb2-f2801f1b9fd1';

/** The service that a Pocket advertises, and the services that the app uses. Other devices also have the latter. */
export const pocketProfile: GattProfile = {
  service: '00005536-0000-1000-8000-00805f9b34fb',
  optionalServices: [commandService, dataService],
};

/** The characteristics that the app uses. */
export const characteristics = {
  /** Write: commands in ASCII. */
  command: {
    service: commandService,
    characteristic: 'e49a3002-f69a-11e8-8eb2-f2801f1b9fd1',
  },
  /** Notifications: responses in ASCII. */
  response: {
    service: commandService,
    characteristic: 'e49a3003-f69a-11e8-8eb2-f2801f1b9fd1',
  },
  /** Notifications: the bytes of a file. */
  data: {
    service: dataService,
    characteristic: 'e49a28e1-f69a-11e8-8eb2-f2801f1b9fd1',
  },
} as const satisfies Readonly<Record<string, GattCharacteristic>>;

/** The maximum size of a response in bytes. Longer ones are ignored. */
export const MAX_RESPONSE_BYTES = 128;
/** The maximum number of dates, and of files per date, in a list. */
export const MAX_ENTRIES = 10_000;
/** The maximum file size in bytes: 18 hours of audio. A file is held in memory until it's complete. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Returns whether a string has the form of a session key: 16 printable ASCII characters without the separator. */
export function isSessionKey(text: string): boolean {
  return /^[!-%'-~]{16}$/.test(text);
}
