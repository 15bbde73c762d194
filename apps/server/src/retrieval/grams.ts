import { addToFnv, fnvOf } from '@linnet/base';
import { finish } from './terms.ts';

/**
 * Splits words into n-grams, runs of one to three characters. A text can only contain a word if it contains all n-grams of
 * the word, so an index of n-grams finds the few texts that must be read, in any language and for any part of a word.
 */

/** Maximum length of an n-gram in code points. Almost all words of two characters are Chinese, Japanese or Korean. */
const maxLength = 3;

/** Hashes n-grams to signed 32-bit integers, for PostgreSQL's `int`. */
export interface Grams {
  /** Adds the hashes of all n-grams within the words of a folded text. */
  addText(folded: string, hashes: Set<number>): void;
  /**
   * Returns the hashes of the longest n-grams of a folded word, without duplicates. A text that contains the word has all of
   * them. A text that doesn't may have them as well.
   */
  ofWord(word: string): number[];
}

/** @param accountId is part of the hash, so index lookups find hardly any texts of other accounts */
export function createGrams(accountId: string): Grams {
  const seed = fnvOf(accountId);
  /** Calls `add` with the hash and the length of each n-gram. */
  function forEach(word: string, add: (hash: number, length: number) => void): void {
    const characters = Array.from(word, (character) => character.codePointAt(0) as number);
    for (let start = 0; start < characters.length; start += 1) {
      let hash = seed;
      for (
        let length = 1;
        length <= maxLength && start + length <= characters.length;
        length += 1
      ) {
        hash = addToFnv(hash, characters[start + length - 1] as number);
        add(finish(hash) | 0, length);
      }
    }
  }
  return {
    addText(folded, hashes) {
      for (const word of new Set(folded.split(/\s/u))) forEach(word, (hash) => hashes.add(hash));
    },
    ofWord(word) {
      const gramLength = Math.min(maxLength, [...word].length);
      const hashes = new Set<number>();
      forEach(word, (hash, length) => {
        if (length === gramLength) hashes.add(hash);
      });
      return [...hashes];
    },
  };
}
