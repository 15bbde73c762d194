import {
  baseLetter,
  combiningSigns,
  invariantScripts,
  unfoldedLetters,
} from '@linnet/contract/folding';

/**
 * Search words as regular expressions that PostgreSQL and JavaScript interpret alike: the database finds the rows, and
 * the same pattern then locates the matches in the text. Ignored differences follow the contract's folding, which the
 * phone's search uses too.
 */
const anySigns = new RegExp(`[${combiningSigns}]`, 'gu');

const syntax = /[\^$\\.*+?()[\]{}|/]/u;

/** Variants of each letter, by base letter. */
let writings: ReadonlyMap<string, string> | undefined;
function writingsOf(base: string): string | undefined {
  writings ??= collectWritings();
  return writings.get(base);
}
function collectWritings(): Map<string, string> {
  const found = new Map<string, string>();
  for (let code = 0x30; code <= 0xffff; code += 1) {
    const letter = String.fromCharCode(code);
    if (invariantScripts.test(letter) || !/[\p{L}\p{N}]/u.test(letter)) continue;
    const base = baseLetter(letter);
    found.set(base, (found.get(base) ?? '') + letter);
  }
  return found;
}

/** Splits a search query into words and returns a pattern for each. */
export function patternsOf(keyword: string): string[] {
  const words = keyword.normalize('NFC').split(/\s+/u).filter(Boolean);
  return [...new Set(words.map(patternOf))].filter((pattern) => pattern !== '');
}

function patternOf(word: string): string {
  return [...word]
    .map((letter) => letter.replaceAll(anySigns, ''))
    .filter(Boolean)
    .map((letter) => `${letterPattern(letter)}[${combiningSigns}]*`)
    .join('');
}

function letterPattern(letter: string): string {
  if (syntax.test(letter)) return `\\${letter}`;
  const base = baseLetter(letter);
  const all = [...new Set([...(writingsOf(base) ?? ''), base, letter])].join('');
  const one = all === letter ? letter : `[${all}]`;
  const parted = letter.normalize('NFD');
  const isWhole = unfoldedLetters.has(letter) || invariantScripts.test(letter);
  return isWhole && parted !== letter ? `(?:${one}|${parted})` : one;
}
