import {
  baseLetter,
  combiningSigns,
  invariantScripts,
  unfoldedLetters,
} from '@linnet/contract/folding';

/**
 * Converts search words to regular expressions that PostgreSQL and JavaScript interpret in the same way. The database
 * uses a pattern to find rows, and the server then uses the same pattern to locate the matches in their text. The
 * patterns ignore the same differences between letters as the contract's folding, which the search on phones uses.
 */

const combiningSign = new RegExp(`[${combiningSigns}]`, 'gu');

const syntaxCharacter = /[\^$\\.*+?()[\]{}|/]/u;

/** All letters with the same base letter, by base letter. Collected on first use. */
let variants: ReadonlyMap<string, string> | undefined;
function variantsOf(base: string): string | undefined {
  variants ??= collectVariants();
  return variants.get(base);
}
function collectVariants(): Map<string, string> {
  const variantsByBase = new Map<string, string>();
  for (let code = 0x30; code <= 0xffff; code += 1) {
    const letter = String.fromCharCode(code);
    if (invariantScripts.test(letter) || !/[\p{L}\p{N}]/u.test(letter)) continue;
    const base = baseLetter(letter);
    variantsByBase.set(base, (variantsByBase.get(base) ?? '') + letter);
  }
  return variantsByBase;
}

/** Splits a search query into words and returns a pattern for each. */
export function patternsOf(keyword: string): string[] {
  const words = keyword.normalize('NFC').split(/\s+/u).filter(Boolean);
  return [...new Set(words.map(patternOf))].filter((pattern) => pattern !== '');
}

function patternOf(word: string): string {
  return [...word]
    .map((letter) => letter.replaceAll(combiningSign, ''))
    .filter(Boolean)
    .map((letter) => `${letterPattern(letter)}[${combiningSigns}]*`)
    .join('');
}

function letterPattern(letter: string): string {
  if (syntaxCharacter.test(letter)) return `\\${letter}`;
  const base = baseLetter(letter);
  const alternatives = [...new Set([...(variantsOf(base) ?? ''), base, letter])].join('');
  const characterClass = alternatives === letter ? letter : `[${alternatives}]`;
  const decomposed = letter.normalize('NFD');
  const isWhole = unfoldedLetters.has(letter) || invariantScripts.test(letter);
  return isWhole && decomposed !== letter ? `(?:${characterClass}|${decomposed})` : characterClass;
}
