/**
 * Generates the pseudo-locale: altered English that reveals missing translations and tight layouts. Every letter is
 * accented, so untranslated text stands out, and sentences are as long as in the longest language.
 */

/** Expansion relative to English (W3C, *Text size in translation*: 20 to 80% for phrases). */
const growth = 0.4;

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'í',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ó',
  p: 'þ',
  q: 'ɋ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'ú',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Í',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ó',
  P: 'Þ',
  Q: 'Ɋ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Ú',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
};

/** Returns the pseudo-translation of a string, leaving its `{{arguments}}` intact. */
export function pseudoText(text: string): string {
  const parts = text.split(/(\{\{\w+\}\})/);
  const translated = parts.map((part) =>
    part.startsWith('{{') ? part : part.replace(/[a-zA-Z]/g, (letter) => accents[letter] ?? letter),
  );
  const letters = text.replace(/\{\{\w+\}\}/g, '').match(/[a-zA-Z]/g)?.length ?? 0;
  // Pad with words of normal length, which wrap like real text. Strings without letters aren't padded.
  const padding = ' öõø'.repeat(Math.ceil((letters * growth) / 4));
  return `${translated.join('')}${padding}`;
}

/** Returns the pseudo-translation of a nested object of strings. */
export function pseudoTexts(texts: object): object {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? pseudoText(value) : pseudoTexts(value),
    ]),
  );
}
