/**
 * Puts together what was heard in pieces that overlap. Pure: where two pieces heard the same stretch,
 * their words are laid beside each other by text and time, and one takes over from the other at a word
 * that both heard, as far from the edges as there is one: there, both heard it whole.
 */
import { normalizeWords } from '../../../transcript/word-error-rate.ts';
import type { RecognizedWord } from '../port.ts';

/** Words recognized in one piece. Times are seconds of the whole recording. */
export interface RecognizedPiece {
  /** Start of the span it represents. Pieces are in order, and these spans do not overlap. */
  readonly from: number;
  readonly to: number;
  /** Start of the audio it was recognized from, which is slightly longer. */
  readonly audioFrom: number;
  readonly audioTo: number;
  readonly words: readonly RecognizedWord[];
}

/** Seconds by which two hearings of a word may differ in time: engines differ by half of it. */
const TOLERANCE = 1;
/** Seconds from the edge of a piece within which a word may be missing or misheard. */
const EDGE = 0.5;
/** Cost of a word without a match in the other piece. A match costs at most as much. */
const ALONE = 1;

/** In order of time, not overlapping, each word once. */
export function stitch(pieces: readonly RecognizedPiece[]): RecognizedWord[] {
  const [first, ...rest] = pieces;
  if (!first) return [];
  let words = first.words;
  let last = first;
  for (const piece of rest) {
    words = join(words, piece.words, {
      from: piece.audioFrom,
      to: last.audioTo,
      cut: (last.to + piece.from) / 2,
    });
    last = piece;
  }
  return inOrder(words);
}

interface Overlap {
  readonly from: number;
  readonly to: number;
  /** Where one piece hands over to the other. */
  readonly cut: number;
}

function join(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  overlap: Overlap,
): RecognizedWord[] {
  if (overlap.to <= overlap.from) return [...left, ...right];
  const tail = left.length - countBack(left, (word) => word.end > overlap.from - TOLERANCE);
  const head = right.findIndex((word) => word.start >= overlap.to + TOLERANCE);
  const pair = handover(left.slice(tail), right.slice(0, head < 0 ? right.length : head), overlap);
  if (pair) return [...left.slice(0, tail + pair.left + 1), ...right.slice(pair.right + 1)];
  return joinByTime(left, right, overlap.cut);
}

function countBack(
  words: readonly RecognizedWord[],
  matches: (word: RecognizedWord) => boolean,
): number {
  let count = 0;
  while (count < words.length && matches(words[words.length - 1 - count] as RecognizedWord)) {
    count += 1;
  }
  return count;
}

/** No word was heard by both: each is taken from the piece on whose side of the cut it lies. */
function joinByTime(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  cut: number,
): RecognizedWord[] {
  const kept = left.filter((word) => middle(word) < cut);
  const end = kept.at(-1)?.end ?? Number.NEGATIVE_INFINITY;
  // A word just behind the cut in one piece and just before it in the other is neither doubled nor lost.
  const from = Math.max(end, cut - EDGE);
  return [...kept, ...right.filter((word) => middle(word) >= from)];
}

interface Pair {
  readonly left: number;
  readonly right: number;
}

/** The pair of words, heard by both, that is nearest to the cut; null when there is none. */
function handover(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  overlap: Overlap,
): Pair | null {
  let best: Pair | null = null;
  let nearest = Number.POSITIVE_INFINITY;
  for (const pair of align(left, right, overlap)) {
    const [a, b] = [left[pair.left], right[pair.right]] as [RecognizedWord, RecognizedWord];
    const distance = Math.abs((middle(a) + middle(b)) / 2 - overlap.cut);
    if (distance < nearest) [best, nearest] = [pair, distance];
  }
  return best;
}

/**
 * The cheapest way to lay the words beside each other: a word that the other side should have heard and
 * that stays alone costs, and so does a difference in time, by its square: words that are said again and
 * again are told apart by that alone.
 */
function align(
  left: readonly RecognizedWord[],
  right: readonly RecognizedWord[],
  overlap: Overlap,
): Pair[] {
  const alone = (word: RecognizedWord) =>
    word.start >= overlap.from + EDGE && word.end <= overlap.to - EDGE ? ALONE : 0;
  const [leftKeys, rightKeys] = [left.map(keyOf), right.map(keyOf)];
  const matchCost = (row: number, column: number) => {
    if (leftKeys[row] !== rightKeys[column]) return Number.POSITIVE_INFINITY;
    const [a, b] = [left[row], right[column]] as [RecognizedWord, RecognizedWord];
    const apart = Math.abs(middle(a) - middle(b)) / TOLERANCE;
    return apart <= 1 ? ALONE * apart ** 2 : Number.POSITIVE_INFINITY;
  };
  // costs[row][column]: of what is left from there on.
  const costs = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const cost = (row: number, column: number) => costs[row]?.[column] ?? Number.POSITIVE_INFINITY;
  const choices = (row: number, column: number) => {
    const [a, b] = [left[row], right[column]];
    return {
      match: a && b ? matchCost(row, column) + cost(row + 1, column + 1) : Number.POSITIVE_INFINITY,
      skipLeft: a ? alone(a) + cost(row + 1, column) : Number.POSITIVE_INFINITY,
      skipRight: b ? alone(b) + cost(row, column + 1) : Number.POSITIVE_INFINITY,
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

/** The comparison key of a word, without punctuation and capitals. */
function keyOf(word: RecognizedWord): string {
  return normalizeWords(word.text).join('') || word.text;
}

function middle(word: RecognizedWord): number {
  return (word.start + word.end) / 2;
}

/** A word begins where the one before it ended, at the earliest. */
function inOrder(words: readonly RecognizedWord[]): RecognizedWord[] {
  let clock = 0;
  return words.map((word) => {
    const start = Math.max(clock, word.start);
    clock = Math.max(start, word.end);
    return { ...word, start, end: clock };
  });
}
