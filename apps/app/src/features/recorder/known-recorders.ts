import type { RememberedRecorder } from '@linnet/device/transport';

/** Local storage key of the recorders bound on this phone, as specified. */
const KEY = 'BIND_DEVICE';

/** A recorder bound on this phone, visible only to the account that bound it. */
export type KnownRecorder = RememberedRecorder & {
  readonly sn: string;
  readonly uid: string;
  /** The binding key in hex; null if it was bound under version 1 of the protocol. */
  readonly bindingKey: string | null;
};

function all(): KnownRecorder[] {
  const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]') as KnownRecorder[];
  // Entries of older app versions have no key.
  return stored.map((recorder) => ({ ...recorder, bindingKey: recorder.bindingKey ?? null }));
}

function save(recorders: readonly KnownRecorder[]): void {
  localStorage.setItem(KEY, JSON.stringify(recorders));
}

export const knownRecorders = {
  lastUsedFirst: (uid: string): readonly KnownRecorder[] =>
    all()
      .filter((recorder) => recorder.uid === uid)
      .toReversed(),
  /** Stores a recorder as the last used. */
  remember(recorder: KnownRecorder): void {
    const others = all().filter(({ sn, uid }) => sn !== recorder.sn || uid !== recorder.uid);
    save([...others, recorder]);
  },
  /** Marks a recorder as the last used, with its current device id. */
  used(uid: string, sn: string, deviceId: string): void {
    const recorder = all().find((each) => each.uid === uid && each.sn === sn);
    if (recorder) this.remember({ ...recorder, deviceId });
  },
  /** Removes an account's keys, so that the next user of this browser cannot access its recorders. */
  removeKeys(uid: string): void {
    save(all().map((each) => (each.uid === uid ? { ...each, bindingKey: null } : each)));
  },
  forget(uid: string, sn: string): void {
    save(all().filter((recorder) => recorder.sn !== sn || recorder.uid !== uid));
  },
};
