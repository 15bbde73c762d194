import { limits } from './limits.ts';

/**
 * Converts a string to a vocabulary entry, with whitespace collapsed. Returns null if it has no letter or digit,
 * contains control characters or commas (which separate the entries sent to engines), or is too long.
 */
export function toVocabularyEntry(text: string): string | null {
  const entry = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (entry.length > limits.vocabulary.entryMaxLength) return null;
  return /[\p{L}\p{N}]/u.test(entry) && !/[\p{Cc},]/u.test(entry) ? entry : null;
}
