/** Locates quotations in a paragraph. */
import { normalizeWords } from '../../../transcript/word-error-rate.ts';
import type { AnalysisParagraph } from '../port.ts';

/** Matches the end of a sentence, in all supported languages that mark it. */
const SENTENCE_END = /[.!?…。？！؟]["'”’»)]*$/u;
/** Matches digits, and letters of scripts with spaces. A quotation can't start or end between two of them. */
const WORD_CHARACTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u;
/** Minimum number of letters in a significant word, for scripts with spaces. */
const MIN_SIGNIFICANT_LENGTH = 4;

/** Matches separators between digits of the same number. */
const NUMBER_SEPARATOR = /(?<=\p{N})[.,:'’\u00a0\u202f](?=\p{N})/gu;

/** Normalizes a string, ignoring case, punctuation and spaces. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(NUMBER_SEPARATOR, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** Returns whether `text` contains the words of `quote` as whole words. An empty quote is never contained. */
export function containsQuote(quote: string, text: string): boolean {
  const [quotedText, normalizedText] = [normalizeText(quote), normalizeText(text)];
  if (quotedText === '') return false;
  for (
    let index = normalizedText.indexOf(quotedText);
    index >= 0;
    index = normalizedText.indexOf(quotedText, index + 1)
  ) {
    const [characterBefore, characterAfter] = [
      normalizedText[index - 1] ?? ' ',
      normalizedText[index + quotedText.length] ?? ' ',
    ];
    const startsInsideWord =
      WORD_CHARACTER.test(quotedText[0] ?? '') && WORD_CHARACTER.test(characterBefore);
    const endsInsideWord =
      WORD_CHARACTER.test(quotedText.at(-1) ?? '') && WORD_CHARACTER.test(characterAfter);
    if (!startsInsideWord && !endsInsideWord) return true;
  }
  return false;
}

/**
 * Returns the start in seconds of the sentence that shares the most words with `text`, or the start of the paragraph if
 * its word timings are unknown or no word matches.
 */
export function findTime(text: string, paragraph: AnalysisParagraph): number {
  const searchText = ` ${normalizeWords(text).join(' ')} `;
  let bestSentence = { start: paragraph.start, shared: 0 };
  let sentence = { start: paragraph.start, shared: 0 };
  let isFirstWord = true;
  for (const word of paragraph.words ?? []) {
    if (isFirstWord) sentence = { start: word.start, shared: 0 };
    const [key = ''] = normalizeWords(word.text);
    const hasSpaces = WORD_CHARACTER.test(key);
    if (
      hasSpaces
        ? key.length >= MIN_SIGNIFICANT_LENGTH && searchText.includes(` ${key} `)
        : key && searchText.includes(key)
    ) {
      sentence.shared += 1;
    }
    if (sentence.shared > bestSentence.shared) bestSentence = { ...sentence };
    isFirstWord = SENTENCE_END.test(word.text);
  }
  return Math.min(paragraph.end, Math.max(paragraph.start, bestSentence.start));
}
