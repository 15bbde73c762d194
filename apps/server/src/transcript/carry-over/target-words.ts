/** The words of the target (the transcript that receives the changes), each with its time and paragraph. */
import type { Token } from '../alignment.ts';
import { tokenize } from '../alignment.ts';
import type { TimeRange } from './timeline.ts';
import type { TargetParagraph } from './types.ts';

/** Number of words on each side of a change that help to place it. */
export const contextWords = 8;

/** A word with its time and the index of its paragraph. */
export type PlacedToken = Token & TimeRange & { readonly paragraph: number };

/** The target's words at about the time of a paragraph, and some before and after them. */
export interface TargetWindow {
  readonly tokens: readonly PlacedToken[];
  /** The index of the first token in the target. */
  readonly first: number;
  /** Whether the window's time range starts before all of the target's words. */
  readonly isStart: boolean;
  /** Whether the window's time range ends after all of the target's words. */
  readonly isEnd: boolean;
}

/** Returns a paragraph's tokens with its words' times. If it has no words, its duration is divided evenly. */
export function placeTokens(
  { start, end, content, words }: TargetParagraph,
  paragraph: number,
): PlacedToken[] {
  const tokens = tokenize(content);
  const text = content.toLowerCase();
  const offsets: number[] = [];
  for (const word of words) {
    const wordStart = text.indexOf(word.text.toLowerCase(), offsets.at(-1) ?? 0);
    offsets.push(wordStart < 0 ? (offsets.at(-1) ?? 0) : wordStart);
  }
  let offset = 0;
  let word = 0;
  return tokens.map((token, index) => {
    while ((offsets[word + 1] ?? Number.POSITIVE_INFINITY) <= offset) word += 1;
    offset += token.core.length + token.trail.length;
    const timeAt = (share: number) => start + ((end - start) * share) / tokens.length;
    const { start: from, end: to } = words[word] ?? {
      start: timeAt(index),
      end: timeAt(index + 1),
    };
    return { ...token, paragraph, start: from, end: to };
  });
}
