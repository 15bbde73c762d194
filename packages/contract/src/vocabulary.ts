import { limits } from './limits.ts';

/**
 * Returns the entry of the vocabulary for a text, with single spaces. Returns null if it has no letter or
 * digit, has control characters or commas (which separate the entries sent to engines), or is too long.
 */
export function toVocabularyEntry(text: string): string | null {
  const entry = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (entry.length > limits.vocabulary.entryMaxLength) return null;
  return /[\p{L}\p{N}]/u.test(entry) && !/[\p{Cc},]/u.test(entry) ? entry : null;
}
