/**
 * Words to look for as a regular expression that PostgreSQL and JavaScript read alike: the database
 * finds the rows, and the same pattern then tells where in the text. Case, accents, vowel signs of
 * Arabic and width of letters do not matter.
 */

/** Signs written onto letters: Latin, Greek and Cyrillic accents, Arabic vowel signs and tatweel. */
const signs = '\\u0300-\\u036f\\u0640\\u064b-\\u065f\\u0670';
const anySigns = new RegExp(`[${signs}]`, 'gu');
/** й is a letter of its own, not an и with a sign. */
const wholeLetters = new Set('йЙ');
/** Scripts whose letters have no such variants: ideographs, kana, Hangul. */
const unvaried = /[\u2e80-\ud7ff]/u;
const syntax = /[\^$\\.*+?()[\]{}|/]/u;

/** A letter without case, signs and width; what is no letter stays as it is. */
function baseOf(letter: string): string {
  if (wholeLetters.has(letter)) return 'й';
  const bare = letter.normalize('NFKD').replaceAll(anySigns, '').toLowerCase();
  const base = bare.replaceAll(anySigns, '');
  return [...base].length === 1 ? base : letter;
}

/** Every way to write a letter, by its base. */
let writings: ReadonlyMap<string, string> | undefined;
function writingsOf(base: string): string | undefined {
  writings ??= collectWritings();
  return writings.get(base);
}
function collectWritings(): Map<string, string> {
  const found = new Map<string, string>();
  for (let code = 0x30; code <= 0xffff; code += 1) {
    const letter = String.fromCharCode(code);
    if (unvaried.test(letter) || !/[\p{L}\p{N}]/u.test(letter)) continue;
    const base = baseOf(letter);
    found.set(base, (found.get(base) ?? '') + letter);
  }
  return found;
}

/** The words of what somebody typed, each as a pattern. */
export function patternsOf(keyword: string): string[] {
  const words = keyword.normalize('NFC').split(/\s+/u).filter(Boolean);
  return [...new Set(words.map(patternOf))].filter((pattern) => pattern !== '');
}

function patternOf(word: string): string {
  return [...word]
    .map((letter) => letter.replaceAll(anySigns, ''))
    .filter(Boolean)
    .map((letter) => `${letterPattern(letter)}[${signs}]*`)
    .join('');
}

function letterPattern(letter: string): string {
  if (syntax.test(letter)) return `\\${letter}`;
  const all = writingsOf(baseOf(letter)) ?? letter;
  const one = all === letter ? letter : `[${all}${all.includes(letter) ? '' : letter}]`;
  const parted = letter.normalize('NFD');
  const isWhole = wholeLetters.has(letter) || unvaried.test(letter);
  return isWhole && parted !== letter ? `(?:${one}|${parted})` : one;
}
