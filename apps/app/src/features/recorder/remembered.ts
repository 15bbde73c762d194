import type { RememberedRecorder } from '@linnet/device/transport';

/** The specification's key for the recorders this phone knows. */
const KEY = 'BIND_DEVICE';

/** A recorder bound on this phone, and by whom: another account does not see it. */
export type KnownRecorder = RememberedRecorder & {
  readonly sn: string;
  readonly uid: string;
  /** What opens it, in hex; null for one that was bound under version 1 of the protocol. */
  readonly bindingKey: string | null;
};

function all(): KnownRecorder[] {
  const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]') as KnownRecorder[];
  // Those of an older app have no key.
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
  /** Keeps it, as the one that was used last. */
  remember(recorder: KnownRecorder): void {
    const others = all().filter(({ sn, uid }) => sn !== recorder.sn || uid !== recorder.uid);
    save([...others, recorder]);
  },
  /** Keeps it as the one that was used last, under what its way calls it by now. */
  used(uid: string, sn: string, deviceId: string): void {
    const recorder = all().find((each) => each.uid === uid && each.sn === sn);
    if (recorder) this.remember({ ...recorder, deviceId });
  },
  /** Keeps none of an account's keys: who uses this browser next has no way into its recorders. */
  lock(uid: string): void {
    save(all().map((each) => (each.uid === uid ? { ...each, bindingKey: null } : each)));
  },
  forget(uid: string, sn: string): void {
    save(all().filter((recorder) => recorder.sn !== sn || recorder.uid !== uid));
  },
};
