/** Number of characters in a word's stem, in alphabetic scripts. */
const STEM = 5;

/** Returns the beginning of a word, which its inflected forms share, in scripts whose words inflect at the end. */
export function stem(word: string): string {
  return /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word) ? word.slice(0, STEM) : word;
}
