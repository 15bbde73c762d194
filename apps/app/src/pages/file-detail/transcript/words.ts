import type { Paragraph } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';

/** A piece of a paragraph's text. The pieces add up to the complete text. */
export type Piece = { readonly text: string; readonly uncertain: boolean; readonly start: number };

/** Returns each word's UTF-16 offset in a paragraph's text, or -1 for words that aren't found. */
export function wordOffsets(paragraph: Paragraph): number[] {
  let from = 0;
  const text = paragraph.content.toLocaleLowerCase();
  return (paragraph.words ?? []).map((word) => {
    const foundAt = text.indexOf(word.text.toLocaleLowerCase(), from);
    if (foundAt >= 0) from = foundAt + word.text.length;
    return foundAt;
  });
}

/** Splits the text at uncertain words. `start` is the offset in the text. */
export function splitByConfidence(paragraph: Paragraph): Piece[] {
  const { content, words = [] } = paragraph;
  const offsets = wordOffsets(paragraph);
  const pieces: Piece[] = [];
  let end = 0;
  const add = (from: number, to: number, uncertain: boolean) => {
    if (to > from) pieces.push({ text: content.slice(from, to), uncertain, start: from });
  };
  words.forEach((word, index) => {
    const wordStart = offsets[index] ?? -1;
    if (wordStart < end || word.confidence >= limits.minConfidence) return;
    add(end, wordStart, false);
    add(wordStart, wordStart + word.text.length, true);
    end = wordStart + word.text.length;
  });
  add(end, content.length, false);
  return pieces;
}

/** Returns the index of the word at a text offset. Null between words, or if there are no word timestamps. */
export function wordAtOffset(paragraph: Paragraph, offset: number): number | null {
  const offsets = wordOffsets(paragraph);
  const index = offsets.findIndex((at, word) => {
    const length = paragraph.words?.[word]?.text.length ?? 0;
    return at >= 0 && offset >= at && offset <= at + length;
  });
  return index < 0 ? null : index;
}

/** Returns the index of the last word that starts at or before a time in seconds. */
export function wordAtTime(paragraph: Paragraph, time: number): number | null {
  const words = paragraph.words ?? [];
  let latest: number | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word || word.start > time) break;
    latest = index;
  }
  return latest;
}

/** Returns the index of the paragraph spoken at a time in seconds, or -1 before the first paragraph. */
export function paragraphAtTime(paragraphs: readonly Paragraph[], time: number): number {
  let low = 0;
  let high = paragraphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const paragraph = paragraphs[middle];
    if (paragraph && paragraph.start_time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
