import { createKnownDevices, type KnownDevice } from '../foreign/known-devices.ts';

export type KnownPocket = KnownDevice & {
  /** The session key, a secret; null if the user must enter it. */
  readonly key: string | null;
  /** Whether the recorder has accepted the key before. */
  readonly isKeyProven: boolean;
  /** How often in a row the recorder has hung up in response to the key. */
  readonly hangUps?: number;
};

/** After so many hang-ups in a row, the recorder doesn't accept the key. A single one may be a loss of the connection. */
const MAX_HANG_UPS = 3;

/** Whether the recorder has hung up so often that connecting again is pointless. */
export const hasHungUp = ({ hangUps = 0 }: KnownPocket): boolean => hangUps >= MAX_HANG_UPS;

/** The Pocket of each account on this device. */
export const knownPocket = createKnownDevices<KnownPocket>('POCKET_DEVICES');

/** Deletes an account's session key, so that the next user of this browser can't access its recorder. */
export function removePocketKey(uid: string): void {
  const known = knownPocket.get(uid);
  if (known) knownPocket.remember({ ...known, key: null, isKeyProven: false, hangUps: 0 });
}
