import type { RememberedRecorder } from '@linnet/device/transport';

/** The specification's key for the recorders this phone knows. */
const KEY = 'BIND_DEVICE';

/** A recorder bound on this phone, and by whom: another account does not see it. */
export type KnownRecorder = RememberedRecorder & { readonly sn: string; readonly uid: string };

function all(): KnownRecorder[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as KnownRecorder[];
}

function save(recorders: readonly KnownRecorder[]): void {
  localStorage.setItem(KEY, JSON.stringify(recorders));
}

export const knownRecorders = {
  lastUsedFirst: (uid: string): readonly KnownRecorder[] =>
    all()
      .filter((recorder) => recorder.uid === uid)
      .toReversed(),
  /** Keeps it as the one that was used last. */
  remember(recorder: KnownRecorder): void {
    const others = all().filter(({ sn, uid }) => sn !== recorder.sn || uid !== recorder.uid);
    save([...others, recorder]);
  },
  forget(uid: string, sn: string): void {
    save(all().filter((recorder) => recorder.sn !== sn || recorder.uid !== uid));
  },
};
