import type { RememberedRecorder } from '@linnet/device/transport';

/** Local storage key of the Omis on this device. */
const KEY = 'OMI_DEVICES';

/** An Omi, visible only to the account that added it. */
export type KnownOmi = RememberedRecorder & {
  readonly uid: string;
  /** Whether the user lets the app delete stored recordings from it. */
  readonly mayDelete?: boolean;
};

function load(): KnownOmi[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as KnownOmi[];
}

/** The Omi of each account on this device. */
export const knownOmi = {
  get: (uid: string): KnownOmi | null => load().find((each) => each.uid === uid) ?? null,
  remember(omi: KnownOmi): void {
    const others = load().filter(({ uid }) => uid !== omi.uid);
    localStorage.setItem(KEY, JSON.stringify([...others, omi]));
  },
  forget(uid: string): void {
    localStorage.setItem(KEY, JSON.stringify(load().filter((each) => each.uid !== uid)));
  },
};
