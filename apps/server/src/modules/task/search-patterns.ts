import {
  baseLetter,
  expansions,
  ignoredCharacters,
  unfoldedLetters,
  wholeScripts,
} from '@linnet/contract/folding';
import { type RawBuilder, sql } from 'kysely';

/**
 * Converts search words to regular expressions for PostgreSQL. The patterns match expanded text, and ignore the same
 * differences between letters as the contract's folding, which phones use for searching.
 */

const syntaxCharacter = /[\^$\\.*+?()[\]{}|/]/u;

/** All variants of each base letter. Built on first use. */
let variants: ReadonlyMap<string, readonly string[]> | undefined;
function findVariants(base: string): readonly string[] {
  variants ??= collectVariants();
  return variants.get(base) ?? [];
}
function collectVariants(): Map<string, string[]> {
  const variantsByBase = new Map<string, string[]>();
  for (let code = 0x21; code <= 0xffff; code += 1) {
    const letter = String.fromCharCode(code);
    const base = baseLetter(letter);
    if (base === letter) continue;
    const known = variantsByBase.get(base);
    if (known) known.push(letter);
    else variantsByBase.set(base, [letter]);
  }
  return variantsByBase;
}

/** Returns an SQL expression that expands letters like {@link expandLetters}. */
export function expanded(text: RawBuilder<string>): RawBuilder<string> {
  const letters = sql.lit(`[${[...expansions.keys()].join('')}]`);
  const replaced = [...expansions].reduce(
    (inner, [letter, group]) =>
      sql<string>`replace(${inner}, ${sql.lit(letter)}, ${sql.lit(group)})`,
    text,
  );
  // Skip the replacements for most strings, which contain none of these letters.
  return sql<string>`case when ${text} ~ ${letters} then ${replaced} else ${text} end`;
}

/** Returns the pattern for a word, to be matched against expanded text. @param word a folded word */
export function toPattern(word: string): string {
  return [...word].map((letter) => `${letterPattern(letter)}[${ignoredCharacters}]*`).join('');
}

const escaped = (character: string) =>
  syntaxCharacter.test(character) || character === '-' ? `\\${character}` : character;

/** Returns the pattern for a letter and its variants. @param base a base letter */
function letterPattern(base: string): string {
  const alternatives = [base, ...findVariants(base)];
  const characterClass =
    alternatives.length === 1 ? escaped(base) : `[${alternatives.map(escaped).join('')}]`;
  const isWhole = unfoldedLetters.has(base) || wholeScripts.test(base);
  const decomposed = isWhole
    ? alternatives.filter((letter) => letter.normalize('NFD') !== letter)
    : [];
  if (decomposed.length === 0) return characterClass;
  const sequences = decomposed.map((letter) => letter.normalize('NFD'));
  return `(?:${[characterClass, ...new Set(sequences)].join('|')})`;
}
