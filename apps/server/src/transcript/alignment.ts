/** Aligns the words of two texts. */
import { fold } from '@linnet/contract/folding';

/** A word with everything up to the next word, so that the concatenated tokens are the complete text. */
export interface Token {
  /** The folded word, which is equal for the same word in another case. */
  readonly key: string;
  /** The word and, if it's the first, everything before it. */
  readonly core: string;
  /** The spaces and punctuation after the word. */
  readonly trail: string;
}

/** Scripts without spaces between words, whose letters are tokens of their own. */
const unspaced =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]';
const letters = `(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`;
const anyWord = new RegExp(`${unspaced}\\p{M}*|${letters}(?:['’]${letters})*`, 'gu');

/** Divides a text into tokens. A text without words has none. */
export function tokenize(text: string): Token[] {
  const words = [...text.matchAll(anyWord)];
  return words.map((word, index) => {
    const end = word.index + word[0].length;
    return {
      key: fold(word[0]),
      core: text.slice(index === 0 ? 0 : word.index, end),
      trail: text.slice(end, words[index + 1]?.index ?? text.length),
    };
  });
}

export const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ core, trail }) => core + trail).join('');

/** Maximum size of an alignment's table, which takes about 50 ms. */
const maxCells = 4_000_000;

/**
 * Returns, for each element of `a`, the index of the element of `b` that it is equal to or replaced by, or -1 if it is
 * absent from `b`. Elements of `b` before and after all of `a` cost nothing. Texts too long to compare aren't aligned.
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

/** A replacement of the elements `from` to `to` of one list by those `start` to `end` of another. */
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
  const aligned = align(a, b);
  const kept = aligned.flatMap((at, index) => (at >= 0 && a[index] === b[at] ? [[index, at]] : []));
  if (kept.length < Math.max(a.length, b.length) / 2) {
    return [{ from: 0, to: a.length, start: 0, end: b.length }];
  }
  const found: Replacement[] = [];
  let [from, start] = [0, 0];
  for (const [to = 0, end = 0] of [...kept, [a.length, b.length]]) {
    if (to > from || end > start) found.push({ from, to, start, end });
    [from, start] = [to + 1, end + 1];
  }
  return found;
}
