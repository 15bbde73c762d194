/**
 * Joins the words of overlapping pieces. Words in the overlap are aligned by text and time. The transcript switches
 * from one piece to the next at the matching word farthest from the edges of both, where recognition is most reliable.
 * Has no side effects.
 */
import { normalizeWords } from '../../../transcript/word-error-rate.ts';
import type { RecognizedWord } from '../port.ts';

/** The words recognized in one piece. Times are in seconds from the start of the recording. */
export interface RecognizedPiece {
  /** Start of the span that the piece represents. Pieces are in order, and their spans don't overlap. */
  readonly from: number;
  readonly to: number;
  /** Start of the recognized audio, which includes the overlap. */
  readonly audioFrom: number;
  readonly audioTo: number;
  readonly words: readonly RecognizedWord[];
}

/** Maximum time difference between matching words, in seconds: twice the typical error of engines. */
const TOLERANCE_SECONDS = 1;
/** Words within this many seconds of a piece's edge may be missing or misrecognized. */
const EDGE_SECONDS = 0.5;
/** Cost of leaving a word unmatched, which is also the maximum cost of a match. */
const UNMATCHED_COST = 1;

/** Returns the words of all pieces in chronological order, without duplicates or overlaps. */
export function stitch(pieces: readonly RecognizedPiece[]): RecognizedWord[] {
  const [first, ...rest] = pieces;
  if (!first) return [];
  let words = first.words;
  let previous = first;
  for (const piece of rest) {
    words = joinPieces(words, piece.words, {
      from: piece.audioFrom,
      to: previous.audioTo,
      cut: (previous.to + piece.from) / 2,
    });
    previous = piece;
  }
  return removeOverlaps(words);
}

interface Overlap {
  readonly from: number;
  readonly to: number;
  /** Preferred time for switching from one piece to the next. */
  readonly cut: number;
}

function joinPieces(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  overlap: Overlap,
): RecognizedWord[] {
  if (overlap.to <= overlap.from) return [...left, ...right];
  const tail =
    left.length - countTrailing(left, (word) => word.end > overlap.from - TOLERANCE_SECONDS);
  const head = right.findIndex((word) => word.start >= overlap.to + TOLERANCE_SECONDS);
  const pair = findSwitchPoint(
    left.slice(tail),
    right.slice(0, head < 0 ? right.length : head),
    overlap,
  );
  if (pair) return [...left.slice(0, tail + pair.left + 1), ...right.slice(pair.right + 1)];
  return joinByTime(left, right, overlap.cut);
}

function countTrailing(
  words: readonly RecognizedWord[],
  matches: (word: RecognizedWord) => boolean,
): number {
  let count = 0;
  while (count < words.length && matches(words[words.length - 1 - count] as RecognizedWord)) {
    count += 1;
  }
  return count;
}

/** Joins two pieces that have no matching words, by taking each word from the piece on its side of the cut. */
function joinByTime(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  cut: number,
): RecognizedWord[] {
  const leftWords = left.filter((word) => middle(word) < cut);
  const end = leftWords.at(-1)?.end ?? Number.NEGATIVE_INFINITY;
  // Prevents a word whose times are on different sides of the cut from being duplicated or lost.
  const from = Math.max(end, cut - EDGE_SECONDS);
  return [...leftWords, ...right.filter((word) => middle(word) >= from)];
}

interface Pair {
  readonly left: number;
  readonly right: number;
}

/** Returns the matching pair of words nearest to the cut, if any. */
function findSwitchPoint(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  overlap: Overlap,
): Pair | null {
  let nearestPair: Pair | null = null;
  let nearest = Number.POSITIVE_INFINITY;
  for (const pair of align(left, right, overlap)) {
    const [a, b] = [left[pair.left], right[pair.right]] as [RecognizedWord, RecognizedWord];
    const distance = Math.abs((middle(a) + middle(b)) / 2 - overlap.cut);
    if (distance < nearest) [nearestPair, nearest] = [pair, distance];
  }
  return nearestPair;
}

/**
 * Finds the alignment with the lowest cost. An unmatched word costs `UNMATCHED_COST`, unless it is near an edge. A match
 * costs the square of its time difference, to distinguish repetitions of the same word.
 */
function align(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  overlap: Overlap,
): Pair[] {
  const skipCost = (word: RecognizedWord) =>
    word.start >= overlap.from + EDGE_SECONDS && word.end <= overlap.to - EDGE_SECONDS
      ? UNMATCHED_COST
      : 0;
  const [leftKeys, rightKeys] = [left.map(toComparisonKey), right.map(toComparisonKey)];
  const matchCost = (row: number, column: number) => {
    if (leftKeys[row] !== rightKeys[column]) return Number.POSITIVE_INFINITY;
    const [a, b] = [left[row], right[column]] as [RecognizedWord, RecognizedWord];
    const difference = Math.abs(middle(a) - middle(b)) / TOLERANCE_SECONDS;
    return difference <= 1 ? UNMATCHED_COST * difference ** 2 : Number.POSITIVE_INFINITY;
  };
  // costs[row][column] is the cost of aligning the remaining words.
  const costs = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const cost = (row: number, column: number) => costs[row]?.[column] ?? Number.POSITIVE_INFINITY;
  const choices = (row: number, column: number) => {
    const [a, b] = [left[row], right[column]];
    return {
      match: a && b ? matchCost(row, column) + cost(row + 1, column + 1) : Number.POSITIVE_INFINITY,
      skipLeft: a ? skipCost(a) + cost(row + 1, column) : Number.POSITIVE_INFINITY,
      skipRight: b ? skipCost(b) + cost(row, column + 1) : Number.POSITIVE_INFINITY,
    };
  };
  for (let row = left.length; row >= 0; row -= 1) {
    for (let column = right.length; column >= 0; column -= 1) {
      if (row === left.length && column === right.length) continue;
      const { match, skipLeft, skipRight } = choices(row, column);
      (costs[row] as number[])[column] = Math.min(match, skipLeft, skipRight);
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    const { match, skipLeft, skipRight } = choices(row, column);
    if (match <= skipLeft && match <= skipRight) {
      pairs.push({ left: row, right: column });
      row += 1;
      column += 1;
    } else if (skipLeft <= skipRight) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Returns a word's comparison key, in lower case and without punctuation. */
function toComparisonKey(word: RecognizedWord): string {
  return normalizeWords(word.text).join('') || word.text;
}

function middle(word: RecognizedWord): number {
  return (word.start + word.end) / 2;
}

/** Delays the start of words that start before the previous word ends. */
function removeOverlaps(words: readonly RecognizedWord[]): RecognizedWord[] {
  let clock = 0;
  return words.map((word) => {
    const start = Math.max(clock, word.start);
    clock = Math.max(start, word.end);
    return { ...word, start, end: clock };
  });
}
