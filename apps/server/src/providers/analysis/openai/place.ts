/** Where in a paragraph something was said, and whether it was. Pure. */
import { normalizeWords } from '../../../transcript/word-error-rate.ts';
import type { AnalysisParagraph } from '../port.ts';

/** Ends of sentences, in all ten languages that mark them. */
const ENDS = /[.!?…。？！؟]["'”’»)]*$/u;
/** Letters of alphabets with words between spaces, and digits: a quote does not begin or end among them. */
const INSIDE = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u;
/** Letters that a word needs to tell where it was said; any will do where one character is a word. */
const TELLING = 4;

/** Separators between the digits of one number. */
const WITHIN_NUMBER = /(?<=\p{N})[.,:'’\u00a0\u202f](?=\p{N})/gu;

/** Text as two writers may differ in it: case, punctuation and spaces are no difference. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(WITHIN_NUMBER, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** Whether the words of `quote` stand in `text`, as words. Nothing stands nowhere. */
export function stands(quote: string, text: string): boolean {
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
 * Seconds at which the sentence begins that shares most words with `text`; the paragraph's start where
 * its words are not known or none is shared.
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
