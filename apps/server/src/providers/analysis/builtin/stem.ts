/** Number of characters in a stem, in alphabetic scripts. */
const STEM = 5;

/** Returns the start of a word, which is common to its inflected forms, in scripts whose words inflect at the end. */
export function stem(word: string): string {
  return /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word) ? word.slice(0, STEM) : word;
}
