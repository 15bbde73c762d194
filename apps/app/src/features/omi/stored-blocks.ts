import type { StoredBlock } from '@linnet/omi';

/** Local storage key of what was stored from each Omi. */
const KEY = 'OMI_STORED';
/** Blocks that a mark covers: one to two seconds of audio. */
const MARKED = 10;

/** Identifies blocks by their audio, because their numbers are used again after a reset or a deletion. */
type Mark = { readonly count: number; readonly hash: number };

/** The blocks of an Omi that an account has stored. */
export type Stored = {
  readonly uid: string;
  readonly serial: string;
  /** The number of the first block that isn't stored. */
  readonly next: number;
  /** The blocks before it. */
  readonly mark: Mark;
  /** Recordings whose blocks may still be on the Omi, and the number after each one's last block. Oldest first. */
  readonly recordings: readonly { readonly id: string; readonly end: number }[];
};

export function fingerprint(blocks: readonly StoredBlock[]): number {
  let hash = 0x811c9dc5;
  const add = (value: number) => {
    hash = Math.imul(hash ^ value, 0x01000193) >>> 0;
  };
  for (const { time, packets } of blocks) {
    add(time ?? 0);
    for (const packet of packets) packet.forEach(add);
  }
  return hash;
}

/** Returns the mark of the last blocks. */
export function markOf(blocks: readonly StoredBlock[]): Mark {
  const last = blocks.slice(-MARKED);
  return { count: last.length, hash: fingerprint(last) };
}

function load(): Stored[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Stored[];
}

function save(stored: readonly Stored[]): void {
  localStorage.setItem(KEY, JSON.stringify(stored));
}

/** The blocks that each account has stored of each Omi, so that nothing is stored twice. */
export const storedBlocks = {
  get: (uid: string, serial: string): Stored | null =>
    load().find((each) => each.uid === uid && each.serial === serial) ?? null,
  set(stored: Stored): void {
    const { uid, serial } = stored;
    const others = load().filter((each) => each.uid !== uid || each.serial !== serial);
    save([...others, stored]);
  },
  forget: (uid: string, serial: string): void =>
    save(load().filter((each) => each.uid !== uid || each.serial !== serial)),
  forgetAccount: (uid: string): void => save(load().filter((each) => each.uid !== uid)),
};
