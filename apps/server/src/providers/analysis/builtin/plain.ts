/** Normalized text of a sentence, with a mapping back to the original. */
export interface Plain {
  readonly text: string;
  /** The original words between two offsets of `text`. */
  readonly said: (from: number, to: number) => string;
}

/** Optional Arabic vowel signs and tatweel. */
const ARABIC_SIGNS = /[\u064b-\u065f\u0670\u0640]/gu;
/** Equivalent variants of single characters. */
const VARIANTS: readonly (readonly [RegExp, string])[] = [
  [/[‘’ʼ]/gu, "'"],
  [/[\u00a0\u2009\u202f\u3000]/gu, ' '],
  [/[أإآٱ]/gu, 'ا'],
  [/ى/gu, 'ي'],
  [/ё/gu, 'е'],
  [/Ё/gu, 'Е'],
  [/؟/gu, '?'],
  [/،/gu, ','],
];
/** Offset of full-width forms from ASCII. */
const FULL_WIDTH = 0xfee0;

/** Unifies spelling variants, so that cues need only one spelling. */
export function fold(text: string): string {
  return foldEach(text).replace(ARABIC_SIGNS, '');
}

/** Like `fold`, but preserves the length. */
function foldEach(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  let folded = text;
  for (const [variant, one] of VARIANTS) folded = folded.replace(variant, one);
  return folded
    .replace(/[！-～]/gu, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH))
    .replace(/[٠-٩]/gu, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/gu, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

export function plainOf(text: string): Plain {
  const folded = foldEach(text);
  if (folded.search(ARABIC_SIGNS) < 0) {
    return { text: folded, said: (from, to) => text.slice(from, to) };
  }
  const places: number[] = [];
  let kept = '';
  for (let at = 0; at < folded.length; at += 1) {
    const character = folded[at] as string;
    if (character.search(ARABIC_SIGNS) === 0) continue;
    places.push(at);
    kept += character;
  }
  places.push(folded.length);
  return {
    text: kept,
    // Signs after the last character belong to it.
    said: (from, to) => (from < to ? text.slice(places[from], places[to]).trimEnd() : ''),
  };
}
