/** Weights sentences by the notes that the user typed. */
import type { AnalysisNote } from '../port.ts';
import { extractTopics, type Sentence } from './sentences.ts';

/** A sentence is near a note if it starts at most this many seconds before the user started typing. */
const SECONDS_BEFORE = 20;
/** Or if it starts at most this many seconds after that. Shorter, because users type notes after hearing the speech. */
const SECONDS_AFTER = 5;
/** Added to the rank of a sentence near a note. The mean rank is 1. */
const NEAR_GAIN = 1;
/** Added to the rank of a sentence that contains all topic words of a note. */
const WORDS_GAIN = 2;

/** Returns the amount added to a sentence's rank, at least 0. */
export type SentenceWeight = (sentence: Sentence) => number;

/** Creates a function that weights sentences near a note, or with topic words in common with a note. */
export function createNoteWeights(
  notes: readonly AnalysisNote[],
  language: string,
): SentenceWeight {
  const notesWithTopics = notes.map(({ time, text }) => ({
    time,
    topics: new Set(extractTopics(text, language)),
  }));
  return ({ start, runs }) => {
    const spokenWords = new Set(runs.flat());
    let gain = 0;
    for (const { time, topics } of notesWithTopics) {
      const isNear = time > 0 && start >= time - SECONDS_BEFORE && start <= time + SECONDS_AFTER;
      const share =
        [...topics].filter((topic) => spokenWords.has(topic)).length / Math.max(1, topics.size);
      gain = Math.max(gain, (isNear ? NEAR_GAIN : 0) + WORDS_GAIN * share);
    }
    return gain;
  };
}
