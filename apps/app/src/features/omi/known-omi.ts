import { createKnownDevices, type KnownDevice } from '../foreign/known-devices.ts';

export type KnownOmi = KnownDevice & {
  /** Whether the user lets the app delete stored recordings from it. */
  readonly mayDelete?: boolean;
};

/** The Omi of each account on this device. */
export const knownOmi = createKnownDevices<KnownOmi>('OMI_DEVICES');
