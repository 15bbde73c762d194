import { capitalize } from '../../../transcript/english.ts';
import { countTopics, representativePhrase } from './phrases.ts';
import type { Sentence } from './sentences.ts';

/** Consecutive sentences about the same subject. */
export interface Topic {
  readonly name: string;
  readonly sentences: readonly Sentence[];
  /** End in seconds: the start of the next topic, or the end of the transcript. */
  readonly end: number;
}

/**
 * Number of sentences compared on each side of a gap (TextTiling's block size). It is a fraction of the transcript,
 * because smaller blocks share words only by chance. It has a maximum, because a topic in a long recording is no longer
 * than one in an hour's recording.
 */
const WINDOW = { least: 6, most: 25 };
/** Minimum number of sentences in a topic. */
const SHORTEST = { least: 4, most: 15 };
/** `WINDOW` and `SHORTEST` as a fraction of the number of sentences, before their limits are applied. */
const FRACTION = 1 / 8;
/** How far from a valley its peaks are searched for, in windows. */
const REACH = 2;

/**
 * Splits the sentences at the gaps across which the fewest words are shared (TextTiling), provided that the valley is
 * exceptionally deep.
 */
export function findTopics(sentences: readonly Sentence[], language: string): Topic[] {
  const counts = countTopics(sentences);
  const starts = [0, ...findBorders(sentences), sentences.length];
  return starts.slice(1).flatMap((to, index) => {
    const topicSentences = sentences.slice(starts[index], to);
    const name = representativePhrase(topicSentences, counts, language);
    const last = topicSentences.at(-1);
    if (!last || name === null) return [];
    const end = Math.max(sentences[to]?.start ?? last.paragraph.end, last.start);
    return [{ name: capitalize(name), sentences: topicSentences, end }];
  });
}

function findBorders(sentences: readonly Sentence[]): number[] {
  const window = partOf(sentences.length, WINDOW);
  const shortest = partOf(sentences.length, SHORTEST);
  const cohesion = computeCohesions(
    sentences.map(({ runs }) => runs.flat()),
    window,
  );
  const depths = cohesion.map((value, gap) => {
    const reach = REACH * window;
    const left = Math.max(...cohesion.slice(Math.max(0, gap - reach), gap + 1));
    const right = Math.max(...cohesion.slice(gap, gap + reach + 1));
    return left - value + (right - value);
  });
  if (depths.length === 0) return [];
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const variance = depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / depths.length;
  const minimumDepth = mean + Math.sqrt(variance);
  const chosen: number[] = [];
  const deepestFirst = [...depths.keys()].sort(
    (a, b) => (depths[b] as number) - (depths[a] as number) || a - b,
  );
  /** Marks the gaps that are too close to a chosen border, or to the start or end. */
  const isBlocked = new Uint8Array(sentences.length + 1);
  const blockAround = (border: number) =>
    isBlocked.fill(1, Math.max(0, border - shortest + 1), border + shortest);
  blockAround(0);
  blockAround(sentences.length);
  for (const gap of deepestFirst) {
    if ((depths[gap] as number) <= minimumDepth) break;
    // Gap 0 is before sentence 1.
    if (isBlocked[gap + 1]) continue;
    blockAround(gap + 1);
    chosen.push(gap + 1);
  }
  return chosen.sort((a, b) => a - b);
}

/** Returns `FRACTION` of the number of sentences, clamped to the limits. */
function partOf(sentences: number, { least, most }: { least: number; most: number }): number {
  return Math.max(least, Math.min(most, Math.round(sentences * FRACTION)));
}

/** Computes, for each gap between two sentences, the cosine similarity between the words before and after it. */
function computeCohesions(words: readonly (readonly string[])[], window: number): number[] {
  return Array.from({ length: Math.max(0, words.length - 1) }, (_, gap) => {
    const wordsBefore = countWords(words.slice(Math.max(0, gap + 1 - window), gap + 1));
    const wordsAfter = countWords(words.slice(gap + 1, gap + 1 + window));
    let shared = 0;
    for (const [word, times] of wordsBefore) shared += times * (wordsAfter.get(word) ?? 0);
    return shared === 0
      ? 0
      : shared / Math.sqrt(squaredLength(wordsBefore) * squaredLength(wordsAfter));
  });
}

function countWords(sentences: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function squaredLength(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const times of counts.values()) sum += times * times;
  return sum;
}
