import { createKnownDevices, type KnownDevice } from '../foreign/known-devices.ts';

export type KnownPocket = KnownDevice & {
  /** The session key, a secret; null if the user must enter it. */
  readonly key: string | null;
  /** Whether the recorder has accepted the key before. */
  readonly isKeyProven: boolean;
  /** Number of successive times that the recorder has hung up in response to the key. */
  readonly hangUps?: number;
};

/** Number of successive hang-ups that mean a refused key. A single one may be a connection loss. */
const MAX_HANG_UPS = 3;

/** Returns whether the recorder has hung up so often that another attempt is pointless. */
export const hasHungUp = ({ hangUps = 0 }: KnownPocket): boolean => hangUps >= MAX_HANG_UPS;

/** Each account's Pocket on this device. */
export const knownPocket = createKnownDevices<KnownPocket>('POCKET_DEVICES');

/** Deletes an account's session key, so that the next user of this browser can't access its recorder. */
export function removePocketKey(uid: string): void {
  const known = knownPocket.get(uid);
  if (known) knownPocket.remember({ ...known, key: null, isKeyProven: false, hangUps: 0 });
}
