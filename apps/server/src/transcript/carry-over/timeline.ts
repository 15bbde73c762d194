/** Finds items of a recording (such as words and paragraphs) by time. */

/** A part of a recording. Times are in seconds. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** A range of a list: the index of its first item, and the index after its last item. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** Items in chronological order, with binary search by time. Items may overlap. */
export class Timeline<Item extends TimeRange> {
  readonly items: readonly Item[];
  /** For each item, the latest end among it and the items before it. */
  readonly #ends: readonly number[];
  /** For each item, the earliest start among it and the items after it. */
  readonly #starts: readonly number[];

  constructor(items: readonly Item[]) {
    this.items = items;
    this.#ends = accumulate(items.map(getEnd), Math.max);
    this.#starts = accumulate(items.map(({ start }) => start).reverse(), Math.min).reverse();
  }

  /** Returns the index range that contains all items in a time range. */
  rangeAt(range: TimeRange): IndexRange {
    const from = partitionPoint(this.#ends, (end) => end < range.start);
    const to = partitionPoint(this.#starts, (start) => start <= getEnd(range));
    return { from, to: Math.max(from, to) };
  }

  /** Returns the items that overlap a time range. */
  at(range: TimeRange): Item[] {
    const { from, to } = this.rangeAt(range);
    return this.items.slice(from, to).filter((item) => overlap(item, range) > 0);
  }
}

/** Returns the overlap of two time ranges in seconds. A zero-length range counts as one millisecond long. */
export function overlap(a: TimeRange, b: TimeRange): number {
  return Math.max(0, Math.min(getEnd(a), getEnd(b)) - Math.max(a.start, b.start));
}

export const getLength = (range: TimeRange): number => getEnd(range) - range.start;

const getEnd = ({ start, end }: TimeRange) => Math.max(end, start + 0.001);

/** Returns the running results of combining each value with all values before it. */
function accumulate(
  values: readonly number[],
  combine: (a: number, b: number) => number,
): number[] {
  const results: number[] = [];
  for (const value of values) results.push(combine(results.at(-1) ?? value, value));
  return results;
}

/**
 * Returns the index of the first value that doesn't meet the condition (binary search). All values that meet it must
 * come first.
 */
function partitionPoint(values: readonly number[], isMet: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isMet(values[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
