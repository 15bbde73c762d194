import { createKnownDevices, type KnownDevice } from '../foreign/known-devices.ts';

export type KnownPocket = KnownDevice & {
  /** The session key, a secret; null if the user must enter it. */
  readonly key: string | null;
  /** Whether the recorder has accepted the key before. */
  readonly isKeyProven: boolean;
};

/** The Pocket of each account on this device. */
export const knownPocket = createKnownDevices<KnownPocket>('POCKET_DEVICES');

/** Deletes an account's session key, so that the next user of this browser can't access its recorder. */
export function removePocketKey(uid: string): void {
  const known = knownPocket.get(uid);
  if (known) knownPocket.remember({ ...known, key: null, isKeyProven: false });
}
