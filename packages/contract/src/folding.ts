/**
 * Folds text for search, on the phone and on the server. Folding ignores case, accents, vowel signs, Arabic letter
 * variants, and width. A text matches if it contains all words anywhere, which also works for scripts without spaces.
 * Imports nothing, because the app also searches offline.
 */

/** Signs that folding removes: Latin, Greek and Cyrillic accents, Arabic vowel signs, and tatweel. */
export const combiningSigns = '\\u0300-\\u036f\\u0640\\u064b-\\u065f\\u0670';
const anySigns = new RegExp(`[${combiningSigns}]`, 'gu');
/** Letters that can be decomposed but aren't folded: й isn't a variant of и. */
export const unfoldedLetters: ReadonlySet<string> = new Set('йЙ');
/** Matches letters of scripts without variants: ideographs, kana and Hangul. */
export const invariantScripts = /[\u2e80-\ud7ff]/u;
/** Maps letters that are used interchangeably, because of spelling variants or keyboards, to their base letters. */
const interchangeable: ReadonlyMap<string, string> = new Map([
  ['ة', 'ه'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ٱ', 'ا'],
  ['ς', 'σ'],
]);

/** Strips a letter of case, signs, width and variants. Returns other characters unchanged. */
export function baseLetter(letter: string): string {
  if (letter.length > 1 || invariantScripts.test(letter) || !/[\p{L}\p{N}]/u.test(letter))
    return letter;
  if (unfoldedLetters.has(letter)) return 'й';
  const bare = letter.normalize('NFKD').replaceAll(anySigns, '').toLowerCase();
  const base = bare.replaceAll(anySigns, '');
  return base.length === 1 ? (interchangeable.get(base) ?? base) : letter;
}

/** The folded form of each UTF-16 unit, or 0 for ignored units. Created on first use. */
let units: Uint16Array | undefined;
function createUnitTable(): Uint16Array {
  const table = new Uint16Array(0x10000);
  const space = /\s/u;
  for (let code = 1; code < table.length; code += 1) {
    const unit = String.fromCharCode(code);
    table[code] = space.test(unit) ? 0x20 : baseLetter(unit).charCodeAt(0);
  }
  // Replace NUL, because SQLite would end a text there.
  table[0] = 0x20;
  for (const sign of table.keys()) {
    if (sign >= 0x300 && sign <= 0x670 && String.fromCharCode(sign).search(anySigns) === 0) {
      table[sign] = 0;
    }
  }
  return table;
}

/** Folds a text to one line of base letters. */
export function fold(text: string): string {
  units ??= createUnitTable();
  const composed = text.toWellFormed().normalize('NFC');
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

/** A part of a text, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number };

/** Matches a letter with its combining signs, or a decomposed Hangul syllable. */
const clusters = /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11ff\ud7b0-\ud7fb]*\p{M}*|.\p{M}*/gsu;

/** Folds a text, and maps each folded unit to its span in the original. */
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

/** Returns the spans of words in a text, in order and without overlaps. @param words folded words */
export function findSpans(text: string, words: readonly string[]): Span[] {
  // Most texts don't match, so fold without spans first, which is faster.
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

/** How many characters to show before and after a hit, at most. */
const context = { before: 40, after: 100 };

/** Returns the line that contains a hit, shortened around it. `start` is the hit's offset in the excerpt. */
export function excerptAround(text: string, hit: Span): { text: string; start: number } {
  const lineStart = text.lastIndexOf('\n', hit.start) + 1;
  const lineEnd = text.indexOf('\n', hit.end);
  const from = characterBoundary(text, Math.max(lineStart, hit.start - context.before));
  const end = lineEnd < 0 ? text.length : lineEnd;
  const to = characterBoundary(text, Math.min(end, hit.end + context.after));
  const before = from > lineStart ? '…' : '';
  const after = to < end ? '…' : '';
  return {
    text: `${before}${text.slice(from, to)}${after}`,
    start: hit.start - from + before.length,
  };
}

/** Moves an offset so that it doesn't split a surrogate pair. */
function characterBoundary(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
