import type { RememberedRecorder } from '@linnet/device/transport';
import type { OptionalFunction } from '@linnet/recorders';

/** Local storage key for the recorders bound on this phone, as specified. */
const KEY = 'BIND_DEVICE';

/** A recorder bound on this phone, visible only to the account that bound it. */
export type KnownRecorder = RememberedRecorder & {
  readonly sn: string;
  readonly uid: string;
  /** Binding key in hex; null if the recorder was bound with protocol version 1. */
  readonly bindingKey: string | null;
  /** Functions that the recorder doesn't support. Valid for this firmware version only. */
  readonly missing?: {
    readonly firmwareVersion: string;
    readonly functions: readonly OptionalFunction[];
  };
};

function load(): KnownRecorder[] {
  const storedRecorders = JSON.parse(localStorage.getItem(KEY) ?? '[]') as KnownRecorder[];
  // Older app versions stored no binding key.
  return storedRecorders.map((recorder) => ({
    ...recorder,
    bindingKey: recorder.bindingKey ?? null,
  }));
}

function save(recorders: readonly KnownRecorder[]): void {
  localStorage.setItem(KEY, JSON.stringify(recorders));
}

export const knownRecorders = {
  lastUsedFirst: (uid: string): readonly KnownRecorder[] =>
    load()
      .filter((recorder) => recorder.uid === uid)
      .toReversed(),
  /** Stores a recorder as the most recently used one. */
  remember(recorder: KnownRecorder): void {
    const others = load().filter(({ sn, uid }) => sn !== recorder.sn || uid !== recorder.uid);
    save([...others, recorder]);
  },
  /** Marks a recorder as most recently used and updates its device ID. Ignores forgotten recorders. */
  markUsed(uid: string, sn: string, deviceId: string): void {
    const recorder = load().find((each) => each.uid === uid && each.sn === sn);
    if (recorder) this.remember({ ...recorder, deviceId });
  },
  /** Returns the functions that a recorder with this firmware is known to lack. */
  missingFunctions(uid: string, sn: string, firmwareVersion: string): readonly OptionalFunction[] {
    const missing = load().find((each) => each.uid === uid && each.sn === sn)?.missing;
    return missing?.firmwareVersion === firmwareVersion ? missing.functions : [];
  },
  /** Records that a recorder with this firmware lacks a function. Ignores forgotten recorders. */
  addMissing(uid: string, sn: string, firmwareVersion: string, name: OptionalFunction): void {
    const knownFunctions = this.missingFunctions(uid, sn, firmwareVersion);
    const functions = [...knownFunctions.filter((each) => each !== name), name];
    save(
      load().map((stored) =>
        stored.uid === uid && stored.sn === sn
          ? { ...stored, missing: { firmwareVersion, functions } }
          : stored,
      ),
    );
  },
  /** Deletes an account's keys, to keep the next user of this browser from accessing its recorders. */
  removeKeys(uid: string): void {
    save(load().map((each) => (each.uid === uid ? { ...each, bindingKey: null } : each)));
  },
  forget(uid: string, sn: string): void {
    save(load().filter((recorder) => recorder.sn !== sn || recorder.uid !== uid));
  },
};
