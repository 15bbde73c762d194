import { createKnownDevices, type KnownDevice } from '../foreign/known-devices.ts';

export type KnownOmi = KnownDevice & {
  /** Whether the user allows the app to delete stored recordings from it. */
  readonly mayDelete?: boolean;
};

/** Each account's Omi on this device. */
export const knownOmi = createKnownDevices<KnownOmi>('OMI_DEVICES');
