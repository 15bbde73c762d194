/**
 * Folds text for search, on the phone and on the server. Folding ignores case, accents, vowel signs, width, and
 * differences between interchangeable characters: apostrophes, dashes, quotation marks, digits, hiragana and katakana,
 * ligatures, and variants of letters. Text matches if it contains all words at any position, so search also works for
 * scripts without spaces. This module imports nothing, because the app also searches offline.
 */

/**
 * Characters that folding removes: Latin, Greek and Cyrillic accents, Arabic vowel signs, tatweel, soft hyphens, and
 * invisible joiners and direction marks.
 */
export const ignoredCharacters =
  '\\u00ad\\u0300-\\u036f\\u0640\\u064b-\\u065f\\u0670\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff';
const anyIgnored = new RegExp(`[${ignoredCharacters}]`, 'gu');
/** Letters that could be decomposed but aren't folded: й isn't a variant of и. */
export const unfoldedLetters: ReadonlySet<string> = new Set('йЙ');
/** Matches characters of scripts that aren't decomposed: ideographs, kana and Hangul. */
export const wholeScripts = /[\u2e80-\ud7ff]/u;
/** Matches katakana letters that have a hiragana counterpart, which is {@link KATAKANA_OFFSET} code points earlier. */
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/u;
const KATAKANA_OFFSET = 0x60;

/** Groups of interchangeable characters, base character first. */
const variantGroups: readonly string[] = [
  // Typographic and plain punctuation.
  "'\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u02bd\u2032\u2035\u00b4`\uff07\uff40",
  '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02',
  '-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d',
  // Arabic and Persian keyboards, and spelling variants.
  'هة',
  'يىی',
  'كک',
  'اٱ',
  'σς',
  // Latin letters with a stroke or without a dot, which Unicode doesn't decompose.
  'oøØ',
  'dđĐ',
  'hħĦ',
  'lłŁ',
  'tŧŦ',
  'iı',
];
const baseOfVariant: ReadonlyMap<string, string> = new Map(
  variantGroups.flatMap(([base, ...variants]) =>
    variants.map((variant) => [variant, base as string]),
  ),
);

/** Letter sequences, and the ligatures and letters they can stand for. */
const expandedLetters: Readonly<Record<string, string>> = {
  ss: 'ßẞ',
  ae: 'æÆǽǼǣǢᴭ',
  oe: 'œŒ',
  ff: 'ﬀ',
  fi: 'ﬁ',
  fl: 'ﬂ',
  ffi: 'ﬃ',
  ffl: 'ﬄ',
  st: 'ﬅﬆ',
  ij: 'ĳĲ',
  لا: 'ﻵﻶﻷﻸﻹﻺﻻﻼ',
};
/** The letter sequence for each ligature or letter. */
export const expansions: ReadonlyMap<string, string> = new Map(
  Object.entries(expandedLetters).flatMap(([group, letters]) =>
    [...letters].map((letter) => [letter, group]),
  ),
);
const anyExpanded = new RegExp(`[${[...expansions.keys()].join('')}]`, 'gu');

/** Replaces letters according to {@link expansions}. */
export function expandLetters(text: string): string {
  return text.replaceAll(anyExpanded, (letter) => expansions.get(letter) ?? letter);
}

/** Converts a decimal digit of any script to the ASCII digit with the same value. */
function asciiDigit(digit: string): string {
  // A script's digits are consecutive, starting with zero.
  let zero = digit.charCodeAt(0);
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return String((digit.charCodeAt(0) - zero) % 10);
}

/**
 * Returns a letter's base form, ignoring case, combining signs, width and variants. Returns other characters unchanged.
 */
export function baseLetter(letter: string): string {
  const variantBase = baseOfVariant.get(letter);
  if (variantBase !== undefined) return variantBase;
  if (KATAKANA.test(letter)) return String.fromCharCode(letter.charCodeAt(0) - KATAKANA_OFFSET);
  if (letter.length > 1 || wholeScripts.test(letter) || !/[\p{L}\p{N}]/u.test(letter))
    return letter;
  if (/\p{Nd}/u.test(letter)) return asciiDigit(letter);
  if (unfoldedLetters.has(letter)) return 'й';
  const bareLetter = letter.normalize('NFKD').replaceAll(anyIgnored, '').toLowerCase();
  const base = bareLetter.replaceAll(anyIgnored, '');
  if (base.length !== 1) return letter;
  return base === letter ? base : baseLetter(base);
}

/** The folded form of each UTF-16 code unit, or 0 for ignored units. Created on first use. */
let units: Uint16Array | undefined;
function createUnitTable(): Uint16Array {
  const table = new Uint16Array(0x10000);
  const space = /\s/u;
  for (let code = 1; code < table.length; code += 1) {
    const unit = String.fromCharCode(code);
    if (unit.search(anyIgnored) === 0) continue;
    table[code] = space.test(unit) ? 0x20 : baseLetter(unit).charCodeAt(0);
  }
  // Replace NUL, because SQLite would end the string there.
  table[0] = 0x20;
  return table;
}

/** Folds text to a single line of base letters. */
export function fold(text: string): string {
  units ??= createUnitTable();
  const composed = expandLetters(text.toWellFormed().normalize('NFC'));
  let folded = '';
  for (let index = 0; index < composed.length; index += 1) {
    const unit = units[composed.charCodeAt(index)] as number;
    if (unit !== 0) folded += String.fromCharCode(unit);
  }
  return folded;
}

/** Returns a search query's distinct words, folded. */
export function foldedWords(keyword: string): string[] {
  return [...new Set(fold(keyword).split(' '))].filter((word) => word !== '');
}

/** A range within a string, in UTF-16 code units. */
export type Span = { readonly start: number; readonly end: number };

/** Matches a letter with its combining signs, or a decomposed Hangul syllable. */
const clusters = /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11ff\ud7b0-\ud7fb]*\p{M}*|.\p{M}*/gsu;

/** Folds text and maps each folded unit to its span in the original. */
function foldWithSpans(text: string): { folded: string; spans: Span[] } {
  const spans: Span[] = [];
  let folded = '';
  for (const { 0: cluster, index: start } of text.matchAll(clusters)) {
    const part = fold(cluster);
    folded += part;
    for (let unit = 0; unit < part.length; unit += 1) {
      spans.push({ start, end: start + cluster.length });
    }
  }
  return { folded, spans };
}

/** Returns the spans in `text` where words occur, in order and without overlaps. @param words folded words */
export function findSpans(text: string, words: readonly string[]): Span[] {
  // Most strings don't match, so fold without spans first, which is faster.
  const foldedText = fold(text);
  if (!words.some((word) => foldedText.includes(word))) return [];
  const { folded, spans } = foldWithSpans(text);
  const hits: Span[] = [];
  for (const word of words) {
    for (let hit = folded.indexOf(word); hit >= 0; hit = folded.indexOf(word, hit + word.length)) {
      const [first, last] = [spans[hit], spans[hit + word.length - 1]];
      if (first && last) hits.push({ start: first.start, end: last.end });
    }
  }
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of hits) {
    const previous = merged.at(-1);
    if (previous && span.start < previous.end) {
      merged[merged.length - 1] = { start: previous.start, end: Math.max(previous.end, span.end) };
    } else merged.push(span);
  }
  return merged;
}

/** Maximum number of characters to show before and after a hit. */
const context = { before: 40, after: 100 };

/** Returns the line that contains a hit, shortened around it. `start` is the hit's offset in the excerpt. */
export function excerptAround(text: string, hit: Span): { text: string; start: number } {
  const lineStart = text.lastIndexOf('\n', hit.start) + 1;
  const lineEnd = text.indexOf('\n', hit.end);
  const first = characterBoundary(text, Math.max(lineStart, hit.start - context.before));
  // Don't start the excerpt with the punctuation of the previous sentence.
  const cut =
    first > lineStart
      ? (/^[\s\p{Pe}\p{Pf}.,;:!?…。，、！？؟،]*/u.exec(text.slice(first, hit.start))?.[0].length ??
        0)
      : 0;
  const from = first + cut;
  const end = lineEnd < 0 ? text.length : lineEnd;
  const to = characterBoundary(text, Math.min(end, hit.end + context.after));
  const leadingEllipsis = from > lineStart ? '…' : '';
  const trailingEllipsis = to < end ? '…' : '';
  return {
    text: `${leadingEllipsis}${text.slice(from, to)}${trailingEllipsis}`,
    start: hit.start - from + leadingEllipsis.length,
  };
}

/** Moves an offset back if it would split a surrogate pair. */
function characterBoundary(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
