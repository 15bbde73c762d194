/** Weighs sentences by the notes that the user typed. */
import type { AnalysisNote } from '../port.ts';
import { extractTopics, type Sentence } from './sentences.ts';

/** Seconds before and after the start of typing within which a sentence is near a note. Typing follows the speech. */
const SECONDS_BEFORE = 20;
const SECONDS_AFTER = 5;
/** Added to the rank of a sentence near a note, and of one with all topic words of a note. The mean rank is 1. */
const NEAR_GAIN = 1;
const WORDS_GAIN = 2;

/** Returns what is added to a sentence's rank, at least 0. */
export type SentenceWeight = (sentence: Sentence) => number;

/** Returns the weights of sentences that are near a note or share topic words with one. */
export function createNoteWeights(
  notes: readonly AnalysisNote[],
  language: string,
): SentenceWeight {
  const weighed = notes.map(({ time, text }) => ({
    time,
    topics: new Set(extractTopics(text, language)),
  }));
  return ({ start, runs }) => {
    const spoken = new Set(runs.flat());
    let gain = 0;
    for (const { time, topics } of weighed) {
      const isNear = time > 0 && start >= time - SECONDS_BEFORE && start <= time + SECONDS_AFTER;
      const shared =
        [...topics].filter((topic) => spoken.has(topic)).length / Math.max(1, topics.size);
      gain = Math.max(gain, (isNear ? NEAR_GAIN : 0) + WORDS_GAIN * shared);
    }
    return gain;
  };
}
