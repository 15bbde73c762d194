/** Estimates the timestamps of the words in a string, without side effects. */
import type { Bcp47 } from '@linnet/contract/languages';
import { wordJoiner } from '../../../transcript/paragraphs.ts';
import type { SpeechSegment } from '../../voice/port.ts';

/** Matches the scripts of languages without spaces. */
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Splits a string into words with durations proportional to their lengths, and spreads them over the speech.
 * @param speech in order; words aren't spread over the pauses
 * @param language undefined if unknown
 */
export function spreadText(
  text: string,
  speech: readonly SpeechSegment[],
  language: Bcp47 | undefined,
): { word: string; start: number; end: number }[] {
  const isSpaced = language ? wordJoiner(language) === ' ' : !UNSPACED_SCRIPT.test(text);
  const words = isSpaced ? text.trim().split(/\s+/) : segmentWords(text, language);
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const seconds = speech.reduce((sum, { start, end }) => sum + end - start, 0);
  let elapsed = 0;
  return words.map((word) => {
    const duration = (seconds * word.length) / Math.max(1, letters);
    const from = locate(elapsed, speech);
    elapsed += duration;
    return { word, start: from.time, end: Math.min(from.time + duration, from.end) };
  });
}

/** Returns the time after the given number of seconds of speech, and the end of the segment that contains it. */
function locate(elapsed: number, speech: readonly SpeechSegment[]): { time: number; end: number } {
  let remaining = elapsed;
  for (const { start, end } of speech) {
    // A rounding error must not put a word at the end of the preceding segment.
    if (remaining < end - start - 1e-6) return { time: start + remaining, end };
    remaining = Math.max(0, remaining - (end - start));
  }
  const end = speech.at(-1)?.end ?? 0;
  return { time: end, end };
}

/** Segments text in a language without spaces into words. Punctuation is attached to the preceding word. */
function segmentWords(text: string, language: Bcp47 | undefined): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language, {
    granularity: 'word',
  }).segment(text.trim())) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words.push((words.pop() ?? '') + segment);
  }
  return words;
}
