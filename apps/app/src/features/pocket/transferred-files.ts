import type { PocketFile } from '@linnet/pocket';

/** Local storage key of the files transferred from each Pocket. */
const KEY = 'POCKET_FILES';

/** The files that an account has transferred from a recorder, by {@link getId}. */
type TransferredFiles = {
  readonly uid: string;
  /** The advertised name, which contains a part of the serial number. */
  readonly recorder: string;
  readonly files: readonly string[];
};

/** Identifies a file on its recorder. A file that has grown counts as a different one. */
export const getId = ({ time, extent }: PocketFile) => `${time}-${extent}`;

const load = () => JSON.parse(localStorage.getItem(KEY) ?? '[]') as TransferredFiles[];
const save = (all: readonly TransferredFiles[]) => localStorage.setItem(KEY, JSON.stringify(all));

/** Stores which files were transferred, because reading a file takes as long as recording it. */
export const transferredFiles = {
  get: (uid: string, recorder: string): ReadonlySet<string> =>
    new Set(load().find((each) => each.uid === uid && each.recorder === recorder)?.files),
  set(uid: string, recorder: string, files: Iterable<string>): void {
    const others = load().filter((each) => each.uid !== uid || each.recorder !== recorder);
    save([...others, { uid, recorder, files: [...files] }]);
  },
  forgetAccount: (uid: string): void => save(load().filter((each) => each.uid !== uid)),
};
