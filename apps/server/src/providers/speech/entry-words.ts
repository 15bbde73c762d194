import { roundToMilliseconds } from '../milliseconds.ts';
import type { RecognizedWord } from './port.ts';

/** Splits a vocabulary entry into words, dividing its duration in proportion to their lengths. */
export function entryWords({ text, start, end, confidence }: RecognizedWord): RecognizedWord[] {
  const words = text.split(' ');
  const total = words.reduce((sum, { length }) => sum + length, 0);
  const timeAt = (count: number) => roundToMilliseconds(start + ((end - start) * count) / total);
  let count = 0;
  return words.map((word) => {
    const from = timeAt(count);
    count += word.length;
    return { text: word, start: from, end: timeAt(count), confidence };
  });
}
