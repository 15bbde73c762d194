/** A sentence's text as cues read it, and where each of its characters stands in the text that was said. */
export interface Plain {
  readonly text: string;
  /** The words between two places of `text`, exactly as they were said. */
  readonly said: (from: number, to: number) => string;
}

/** Vowel signs and lengthening of Arabic, which speakers' writing has or has not. */
const ARABIC_SIGNS = /[\u064b-\u065f\u0670\u0640]/gu;
/** One character for one: variants that mean the same to a reader. */
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
/** Full-width forms lie this far above ASCII. */
const FULL_WIDTH = 0xfee0;

/** Spelling variants made one, so that each cue is written once. */
export function fold(text: string): string {
  return foldEach(text).replace(ARABIC_SIGNS, '');
}

/** As `fold`, but as many characters as before. */
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
    // the signs after the last character belong to it
    said: (from, to) => (from < to ? text.slice(places[from], places[to]).trimEnd() : ''),
  };
}
