/** Finds parts of a recording by time. */

/** A part of a recording, in seconds. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A range of a list: the index of its first item, and the index after its last one. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A list of stretches that are in order of time, except that some may overlap. Searches are binary. */
export class Timeline<Item extends Stretch> {
  readonly items: readonly Item[];
  /** The latest end of each item and those before it. */
  readonly #ends: readonly number[];
  /** The earliest start of each item and those after it. */
  readonly #starts: readonly number[];

  constructor(items: readonly Item[]) {
    this.items = items;
    this.#ends = accumulate(items.map(endOf), Math.max);
    this.#starts = accumulate(items.map(({ start }) => start).reverse(), Math.min).reverse();
  }

  /** Returns the range that contains all items of a stretch. */
  rangeAt(stretch: Stretch): Range {
    const from = countFirst(this.#ends, (end) => end < stretch.start);
    const to = countFirst(this.#starts, (start) => start <= endOf(stretch));
    return { from, to: Math.max(from, to) };
  }

  /** Returns the items that overlap a stretch. */
  at(stretch: Stretch): Item[] {
    const { from, to } = this.rangeAt(stretch);
    return this.items.slice(from, to).filter((item) => overlap(item, stretch) > 0);
  }
}

/** Returns the seconds that two stretches share. A stretch without length counts as a millisecond. */
export function overlap(a: Stretch, b: Stretch): number {
  return Math.max(0, Math.min(endOf(a), endOf(b)) - Math.max(a.start, b.start));
}

export const lengthOf = (stretch: Stretch): number => endOf(stretch) - stretch.start;

const endOf = ({ start, end }: Stretch) => Math.max(end, start + 0.001);

/** Returns each value combined with those before it. */
function accumulate(
  values: readonly number[],
  combine: (a: number, b: number) => number,
): number[] {
  const results: number[] = [];
  for (const value of values) results.push(combine(results.at(-1) ?? value, value));
  return results;
}

/** Counts the values at the start of a list that meet a condition, which no value after them meets. */
function countFirst(values: readonly number[], isMet: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isMet(values[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
