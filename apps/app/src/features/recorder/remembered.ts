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
  /** The recorder the account used last. */
  latest: (uid: string): KnownRecorder | null =>
    all().findLast((recorder) => recorder.uid === uid) ?? null,
  remember(recorder: KnownRecorder): void {
    const others = all().filter(({ sn, uid }) => sn !== recorder.sn || uid !== recorder.uid);
    save([...others, recorder]);
  },
  forget(uid: string, sn: string): void {
    save(all().filter((recorder) => recorder.sn !== sn || recorder.uid !== uid));
  },
};
