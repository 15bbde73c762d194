import { roundToMilliseconds } from '../providers/milliseconds.ts';
import type { RecognizedWord } from '../providers/speech/port.ts';
import { toParagraphs, wordJoiner } from '../transcript/paragraphs.ts';
import type { SliceResult } from './store.ts';

/** Returns the words of a slice as text, capitalized and punctuated as in the transcript. */
export function toText(result: SliceResult): string {
  return toParagraphs(result.words, result)
    .map(({ content }) => content)
    .join(wordJoiner(result.language));
}

/** Shifts word timestamps by a number of seconds. */
export function shift(words: readonly RecognizedWord[], seconds: number): RecognizedWord[] {
  return words.map((word) => ({
    ...word,
    start: roundToMilliseconds(word.start + seconds),
    end: roundToMilliseconds(word.end + seconds),
  }));
}
