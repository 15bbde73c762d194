import type { Paragraph } from '@linnet/contract';
import { toVocabularyEntry } from '@linnet/contract/vocabulary';

/** Maximum number of words that an edit may remove or insert to count as the correction of a name. */
const maxWords = 4;
const stripPunctuation = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/**
 * Returns the name or term that an edit inserted in place of other words, or null for any other edit. A name starts
 * with a capital letter. Edits in scripts without capital letters never count as names: these scripts don't distinguish
 * names from other words or even from sentences, which must not be stored. Ignores the confidence of the replaced
 * words, because engines are often confident about wrong words for an unknown name.
 */
export function findCorrection({ content }: Paragraph, edited: string): string | null {
  const oldWords = content.split(/\s+/);
  const newWords = edited.split(/\s+/);
  let sameStart = 0;
  while (sameStart < oldWords.length && oldWords[sameStart] === newWords[sameStart]) sameStart += 1;
  let sameEnd = 0;
  const shorter = Math.min(oldWords.length, newWords.length);
  while (sameEnd < shorter - sameStart && oldWords.at(-1 - sameEnd) === newWords.at(-1 - sameEnd)) {
    sameEnd += 1;
  }
  const removed = oldWords.slice(sameStart, oldWords.length - sameEnd);
  const inserted = newWords.slice(sameStart, newWords.length - sameEnd);
  if (Math.max(removed.length, inserted.length) > maxWords || removed.length === 0) return null;
  const [old, name] = [removed, inserted].map((list) => stripPunctuation(list.join(' '))) as [
    string,
    string,
  ];
  const isName =
    /^[\p{Lu}\p{Lt}]/u.test(name) &&
    !/\p{Lo}/u.test(`${old}${name}`) &&
    name.toLowerCase() !== old.toLowerCase();
  return isName ? toVocabularyEntry(name) : null;
}
