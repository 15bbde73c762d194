/** Locates quotations in a paragraph. Pure. */
import { normalizeWords } from '../../../transcript/word-error-rate.ts';
import type { AnalysisParagraph } from '../port.ts';

/** Sentence endings of all supported languages that mark them. */
const ENDS = /[.!?…。？！؟]["'”’»)]*$/u;
/** Digits and letters of scripts with spaces. A quotation does not start or end between two of them. */
const INSIDE = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u;
/** Minimum letters of a significant word, in scripts with spaces. */
const TELLING = 4;

/** Separators between the digits of one number. */
const WITHIN_NUMBER = /(?<=\p{N})[.,:'’\u00a0\u202f](?=\p{N})/gu;

/** Normalizes text: ignores case, punctuation and spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(WITHIN_NUMBER, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** Whether `text` contains the words of `quote` as entire words. An empty quote is never contained. */
export function containsQuote(quote: string, text: string): boolean {
  const [words, said] = [plain(quote), plain(text)];
  if (words === '') return false;
  for (let at = said.indexOf(words); at >= 0; at = said.indexOf(words, at + 1)) {
    const [before, after] = [said[at - 1] ?? ' ', said[at + words.length] ?? ' '];
    const first = INSIDE.test(words[0] ?? '') && INSIDE.test(before);
    const last = INSIDE.test(words.at(-1) ?? '') && INSIDE.test(after);
    if (!first && !last) return true;
  }
  return false;
}

/**
 * Returns the start, in seconds, of the sentence that shares most words with `text`, or the paragraph's start if its
 * words are unknown or none match.
 */
export function timeOf(text: string, paragraph: AnalysisParagraph): number {
  const wanted = ` ${normalizeWords(text).join(' ')} `;
  let best = { start: paragraph.start, shared: 0 };
  let sentence = { start: paragraph.start, shared: 0 };
  let begins = true;
  for (const word of paragraph.words ?? []) {
    if (begins) sentence = { start: word.start, shared: 0 };
    const [key = ''] = normalizeWords(word.text);
    const spaced = INSIDE.test(key);
    if (
      spaced ? key.length >= TELLING && wanted.includes(` ${key} `) : key && wanted.includes(key)
    ) {
      sentence.shared += 1;
    }
    if (sentence.shared > best.shared) best = { ...sentence };
    begins = ENDS.test(word.text);
  }
  return Math.min(paragraph.end, Math.max(paragraph.start, best.start));
}
