import type { Paragraph } from '@linnet/contract';

/**
 * Words with a lower confidence are marked as uncertain. Measured: approximately separates the engine's correct
 * words from its errors.
 */
const minConfidence = 0.5;

/** A piece of a paragraph's text. The concatenated pieces are the complete text. */
export type Piece = { readonly text: string; readonly uncertain: boolean; readonly start: number };

/** The UTF-16 offset of each word in a paragraph's text; -1 if not found. */
export function wordOffsets(paragraph: Paragraph): number[] {
  let from = 0;
  const text = paragraph.content.toLocaleLowerCase();
  return (paragraph.words ?? []).map((word) => {
    const at = text.indexOf(word.text.toLocaleLowerCase(), from);
    if (at >= 0) from = at + word.text.length;
    return at;
  });
}

/** Splits the text at uncertain words. `start` is the offset in the text. */
export function splitByConfidence(paragraph: Paragraph): Piece[] {
  const { content, words = [] } = paragraph;
  const offsets = wordOffsets(paragraph);
  const found: Piece[] = [];
  let done = 0;
  const add = (from: number, to: number, uncertain: boolean) => {
    if (to > from) found.push({ text: content.slice(from, to), uncertain, start: from });
  };
  words.forEach((word, index) => {
    const at = offsets[index] ?? -1;
    if (at < done || word.confidence >= minConfidence) return;
    add(done, at, false);
    add(at, at + word.text.length, true);
    done = at + word.text.length;
  });
  add(done, content.length, false);
  return found;
}

/** The index of the word at a text offset; null between words or without word times. */
export function wordAtOffset(paragraph: Paragraph, offset: number): number | null {
  const offsets = wordOffsets(paragraph);
  const index = offsets.findIndex((at, word) => {
    const length = paragraph.words?.[word]?.text.length ?? 0;
    return at >= 0 && offset >= at && offset <= at + length;
  });
  return index < 0 ? null : index;
}

/** The index of the last word that starts at or before a time in seconds. */
export function wordAtTime(paragraph: Paragraph, time: number): number | null {
  const words = paragraph.words ?? [];
  let spoken: number | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word || word.start > time) break;
    spoken = index;
  }
  return spoken;
}

/** The index of the paragraph spoken at a time in seconds; -1 before the first. */
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
