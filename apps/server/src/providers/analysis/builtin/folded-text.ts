/** A sentence's normalized text, with a mapping back to the original text. */
export interface FoldedText {
  readonly text: string;
  /** Returns the original words between two offsets of `text`. */
  readonly originalText: (from: number, to: number) => string;
}

/** Matches the optional Arabic vowel signs and tatweel. */
const ARABIC_SIGNS = /[\u064b-\u065f\u0670\u0640]/gu;
/** Spelling variants of single characters, and their replacements. */
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
/** Offset between full-width forms and ASCII. */
const FULL_WIDTH = 0xfee0;

/** Normalizes spelling variants. Cues then need to match only one spelling. */
export function fold(text: string): string {
  return foldCharacters(text).replace(ARABIC_SIGNS, '');
}

/** Like `fold`, but preserves the string's length. */
function foldCharacters(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  let folded = text;
  for (const [variant, replacement] of VARIANTS) folded = folded.replace(variant, replacement);
  return folded
    .replace(/[！-～]/gu, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH))
    .replace(/[٠-٩]/gu, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/gu, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

export function foldWithOffsets(text: string): FoldedText {
  const folded = foldCharacters(text);
  if (folded.search(ARABIC_SIGNS) < 0) {
    return { text: folded, originalText: (from, to) => text.slice(from, to) };
  }
  const offsets: number[] = [];
  let withoutSigns = '';
  for (let index = 0; index < folded.length; index += 1) {
    const character = folded[index] as string;
    if (character.search(ARABIC_SIGNS) === 0) continue;
    offsets.push(index);
    withoutSigns += character;
  }
  offsets.push(folded.length);
  return {
    text: withoutSigns,
    // Include the vowel signs of the last character.
    originalText: (from, to) => (from < to ? text.slice(offsets[from], offsets[to]).trimEnd() : ''),
  };
}
