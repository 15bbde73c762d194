/** Aligns the words of two texts. */
import { fold } from '@linnet/contract/folding';

/** A word with all characters up to the next word. The concatenated tokens are the complete text. */
export interface Token {
  /** The word after case folding, for comparison. */
  readonly key: string;
  /** The word and, if it's the first, everything before it. */
  readonly core: string;
  /** The spaces and punctuation after the word. */
  readonly trail: string;
  /** False for a letter that continues a word, in scripts without spaces between words. */
  readonly isWordStart: boolean;
}

/**
 * Scripts without spaces between words. Each letter is a separate token, because a misrecognized letter also changes
 * how the letters next to it are segmented into words.
 */
const unspaced =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]';
const letters = `(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`;
const anyWord = new RegExp(`${unspaced}\\p{M}*|${letters}(?:['’]${letters})*`, 'gu');
const anyUnspaced = new RegExp(unspaced, 'u');
/** Segments scripts without spaces using dictionaries, which are the same for all locales. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Divides text into tokens. Text without words has none. */
export function tokenize(text: string): Token[] {
  const words = [...text.matchAll(anyWord)];
  const wordStarts = anyUnspaced.test(text)
    ? new Set(Array.from(segmenter.segment(text), ({ index }) => index))
    : null;
  return words.map((word, index) => {
    const end = word.index + word[0].length;
    return {
      key: fold(word[0]),
      core: text.slice(index === 0 ? 0 : word.index, end),
      trail: text.slice(end, words[index + 1]?.index ?? text.length),
      isWordStart: wordStarts?.has(word.index) ?? true,
    };
  });
}

export const joinTokens = (tokens: readonly Token[]): string =>
  tokens.map(({ core, trail }) => core + trail).join('');

/**
 * Maximum number of cells in an alignment's table, computed in about 50 ms. Each paragraph is aligned only with the
 * words at about its time, so only paragraphs of about 2,000 words reach this limit, regardless of the recording's
 * length.
 */
const maxCells = 4_000_000;

/**
 * Returns, for each element of `a`, the index of the element of `b` that it is equal to or replaced by, or -1 if it has
 * no counterpart (a semi-global Needleman–Wunsch alignment). Elements of `b` before and after all of `a` cost nothing.
 * Returns only -1 if the lists are too long to align.
 */
export function align(a: readonly string[], b: readonly string[]): number[] {
  const aligned = a.map(() => -1);
  const width = b.length + 1;
  if ((a.length + 1) * width > maxCells) return aligned;
  const scores = new Int32Array((a.length + 1) * width);
  const score = (i: number, j: number) => scores[i * width + j] ?? 0;
  const pair = (i: number, j: number) => score(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 2 : -1);
  const skip = (i: number, j: number) => score(i, j - 1) - (i === a.length ? 0 : 1);
  for (let i = 1; i <= a.length; i += 1) {
    scores[i * width] = -i;
    for (let j = 1; j < width; j += 1) {
      scores[i * width + j] = Math.max(pair(i, j), score(i - 1, j) - 1, skip(i, j));
    }
  }
  for (let i = a.length, j = b.length; i > 0 && j > 0; ) {
    if (score(i, j) === pair(i, j)) {
      i -= 1;
      j -= 1;
      aligned[i] = j;
    } else if (score(i, j) === skip(i, j)) j -= 1;
    else i -= 1;
  }
  return aligned;
}

/** A replacement of the elements `from` to `to` (exclusive) of one list by the elements `start` to `end` of another. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the replacements that turn `a` into `b`. If they share less than half of their elements, everything is
 * replaced at once.
 */
export function replacements(a: readonly string[], b: readonly string[]): Replacement[] {
  const common = commonElements(a, b);
  if (common.length < Math.max(a.length, b.length) / 2) {
    return [{ from: 0, to: a.length, start: 0, end: b.length }];
  }
  const found: Replacement[] = [];
  let [from, start] = [0, 0];
  for (const [to = 0, end = 0] of [...common, [a.length, b.length]]) {
    if (to > from || end > start) found.push({ from, to, start, end });
    [from, start] = [to + 1, end + 1];
  }
  return found;
}

/** Joins replacements that have at most `gap` unchanged elements between them. */
export function joinAdjacent(changes: readonly Replacement[], gap: number): Replacement[] {
  const joined: Replacement[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const isNear = last !== undefined && change.from - last.to <= gap;
    if (isNear) joined.pop();
    joined.push(isNear ? { ...change, from: last.from, start: last.start } : change);
  }
  return joined;
}

/**
 * Extends replacements by the unchanged elements next to them, until `isStart` and `isEnd` accept their bounds in the
 * two lists. Replacements that then overlap become one.
 * @param length the length of the first list
 * @param limit the maximum number of elements on each side
 * @param fixed replacements that aren't extended
 */
export function extend(
  changes: readonly Replacement[],
  length: number,
  limit: number,
  isStart: (from: number, start: number) => boolean,
  isEnd: (to: number, end: number) => boolean,
  fixed: ReadonlySet<Replacement> = new Set(),
): Replacement[] {
  const extended: Replacement[] = [];
  for (const [index, change] of changes.entries()) {
    if (fixed.has(change)) {
      extended.push(change);
      continue;
    }
    const { from, to, start, end } = change;
    const maxLeft = Math.min(limit, from - (changes[index - 1]?.to ?? 0));
    const maxRight = Math.min(limit, (changes[index + 1]?.from ?? length) - to);
    let [left, right] = [0, 0];
    while (left < maxLeft && !isStart(from - left, start - left)) left += 1;
    while (right < maxRight && !isEnd(to + right, end + right)) right += 1;
    const last = extended.at(-1);
    const isOverlapping = last !== undefined && from - left < last.to;
    if (isOverlapping) extended.pop();
    extended.push({
      from: isOverlapping ? last.from : from - left,
      to: to + right,
      start: isOverlapping ? last.start : start - left,
      end: end + right,
    });
  }
  return extended;
}

/**
 * Returns the share of the longer text that consists of words that both texts have in the same order, from 0 to 1.
 * Words are weighted by their length, because short words such as articles are poor evidence.
 */
export function similarity(a: string, b: string): number {
  const getKeys = (text: string) => tokenize(text).map(({ key }) => key);
  const sumLengths = (words: readonly string[]) =>
    words.reduce((sum, { length }) => sum + length, 0);
  const [words, others] = [getKeys(a), getKeys(b)];
  const common = commonElements(words, others).flatMap(([at]) => words[at] ?? []);
  return sumLengths(common) / Math.max(1, sumLengths(words), sumLengths(others));
}

/** Returns the positions of the elements that both lists have in the same order. */
function commonElements(a: readonly string[], b: readonly string[]): [number, number][] {
  return align(a, b).flatMap((at, index): [number, number][] =>
    a[index] === b[at] ? [[index, at]] : [],
  );
}
