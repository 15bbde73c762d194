import { addToFnv, FNV_OFFSET_BASIS } from '@linnet/base';
import type { StoredBlock } from '@linnet/omi';

/** Local storage key of the blocks stored from each Omi. */
const KEY = 'OMI_STORED';
/** Number of blocks covered by a mark: one to two seconds of audio. */
const MARKED_BLOCKS = 10;

/** Identifies blocks by their audio, because the Omi reuses their numbers after a reset or a deletion. */
type Mark = { readonly count: number; readonly hash: number };

/** The blocks that an account has stored from an Omi. */
export type StorageProgress = {
  readonly uid: string;
  readonly serial: string;
  /** The number of the first unstored block. */
  readonly next: number;
  /** Identifies the blocks before it. */
  readonly mark: Mark;
  /** Recordings whose blocks may still be on the Omi, oldest first, with the number after each one's last block. */
  readonly recordings: readonly { readonly id: string; readonly end: number }[];
};

export function fingerprint(blocks: readonly StoredBlock[]): number {
  let hash = FNV_OFFSET_BASIS;
  const add = (value: number) => {
    hash = addToFnv(hash, value);
  };
  for (const { time, packets } of blocks) {
    add(time ?? 0);
    for (const packet of packets) packet.forEach(add);
  }
  return hash >>> 0;
}

/** Returns the mark of the last blocks. */
export function createMark(blocks: readonly StoredBlock[]): Mark {
  const last = blocks.slice(-MARKED_BLOCKS);
  return { count: last.length, hash: fingerprint(last) };
}

function load(): StorageProgress[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as StorageProgress[];
}

function save(stored: readonly StorageProgress[]): void {
  localStorage.setItem(KEY, JSON.stringify(stored));
}

/** The blocks that each account has stored from each Omi, so that none is stored twice. */
export const storedBlocks = {
  get: (uid: string, serial: string): StorageProgress | null =>
    load().find((each) => each.uid === uid && each.serial === serial) ?? null,
  set(stored: StorageProgress): void {
    const { uid, serial } = stored;
    const others = load().filter((each) => each.uid !== uid || each.serial !== serial);
    save([...others, stored]);
  },
  forget: (uid: string, serial: string): void =>
    save(load().filter((each) => each.uid !== uid || each.serial !== serial)),
  forgetAccount: (uid: string): void => save(load().filter((each) => each.uid !== uid)),
};
