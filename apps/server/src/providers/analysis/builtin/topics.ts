import { capitalize } from '../../../transcript/english.ts';
import { type Announcement, countTopics, representativePhrase } from './phrases.ts';
import type { Sentence } from './sentences.ts';
import { stem } from './stem.ts';

/** Consecutive sentences about the same subject. */
export interface Topic {
  readonly name: string;
  readonly sentences: readonly Sentence[];
  /** End in seconds: the start of the next topic, or the end of the transcript. */
  readonly end: number;
}

/**
 * Number of sentences compared on each side of a gap (TextTiling's block size). It is a fraction of the transcript,
 * because small blocks share words only by chance. It has a maximum, because topics in long recordings are no longer
 * than in an hour's recording.
 */
const WINDOW = { least: 6, most: 25 };
/** Minimum number of sentences in a topic. */
const SHORTEST = { least: 4, most: 15 };
/** `WINDOW` and `SHORTEST` as a fraction of the number of sentences, before their limits are applied. */
const FRACTION = 1 / 8;
/** Maximum distance between a valley and its peaks, in windows. */
const REACH = 2;

/**
 * Minimum depth of a valley, in standard deviations above the mean depth: at an announced change of subject
 * (`announced`), or elsewhere in a transcript without announcements (`alone`) or with announcements (`beside`).
 */
const MINIMUM_DEPTH = { announced: -0.7, alone: 1, beside: 2.2 };
/** Weight of an announcement compared with the depth of a valley, in standard deviations. */
const ANNOUNCEMENT_GAIN = 4;

/**
 * Splits the sentences where the text before and after has the fewest words in common (TextTiling): at exceptionally
 * deep valleys of the similarity, and at sentences that announce a change of subject.
 * @param transitions matches the start of such an announcement
 */
export function findTopics(
  sentences: readonly Sentence[],
  language: string,
  transitions?: RegExp,
): Topic[] {
  const counts = countTopics(sentences);
  const isAnnouncement = sentences.map(({ folded }) => transitions?.test(folded.text) ?? false);
  const starts = [0, ...findBorders(sentences, isAnnouncement), sentences.length];
  return starts.slice(1).flatMap((to, index) => {
    const start = starts[index] as number;
    const topicSentences = sentences.slice(start, to);
    // The first subject may be announced later, after the greetings.
    const announced = index === 0 ? isAnnouncement.indexOf(true) : start;
    const announcement =
      announced < to ? announcementAt(sentences[announced], transitions) : undefined;
    const name = representativePhrase(topicSentences, counts, { language, announcement });
    const last = topicSentences.at(-1);
    if (!last || name === null) return [];
    const end = Math.max(sentences[to]?.start ?? last.paragraph.end, last.start);
    return [{ name: capitalize(name), sentences: topicSentences, end }];
  });
}

/** Returns the announcement of a subject. The subject's name follows the words that match `transitions`. */
function announcementAt(
  sentence: Sentence | undefined,
  transitions: RegExp | undefined,
): Announcement | undefined {
  const [, end] = (sentence && transitions?.exec(sentence.folded.text))?.indices?.[0] ?? [];
  return sentence && end !== undefined ? { sentence, from: end } : undefined;
}

function findBorders(sentences: readonly Sentence[], isAnnouncement: readonly boolean[]): number[] {
  const window = clampShare(sentences.length, WINDOW);
  const shortest = clampShare(sentences.length, SHORTEST);
  const cohesion = computeCohesions(
    sentences.map(({ runs }) => runs.flat().map(stem)),
    window,
  );
  const depths = cohesion.map((value, gap) => {
    const reach = REACH * window;
    const maxBefore = Math.max(...cohesion.slice(Math.max(0, gap - reach), gap + 1));
    const maxAfter = Math.max(...cohesion.slice(gap, gap + reach + 1));
    return maxBefore - value + (maxAfter - value);
  });
  if (depths.length === 0) return [];
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const deviation = Math.sqrt(
    depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / depths.length,
  );
  if (deviation === 0) return [];
  // Gap 0 is before sentence 1.
  const gaps = depths.map((depth, gap) => ({
    border: gap + 1,
    depth: (depth - mean) / deviation,
    isAnnounced: isAnnouncement[gap + 1] ?? false,
  }));
  const computeRank = (gap: (typeof gaps)[number]) =>
    gap.depth + (gap.isAnnounced ? ANNOUNCEMENT_GAIN : 0);
  const chosen: number[] = [];
  /** Marks the gaps that are too close to a chosen border, or to the start or end. */
  const isBlocked = new Uint8Array(sentences.length + 1);
  const blockAround = (border: number) =>
    isBlocked.fill(1, Math.max(0, border - shortest + 1), border + shortest);
  blockAround(0);
  blockAround(sentences.length);
  let isAnyAnnounced = false;
  for (const gap of [...gaps].sort(
    (a, b) => computeRank(b) - computeRank(a) || a.border - b.border,
  )) {
    const minimum = gap.isAnnounced
      ? MINIMUM_DEPTH.announced
      : isAnyAnnounced
        ? MINIMUM_DEPTH.beside
        : MINIMUM_DEPTH.alone;
    if (isBlocked[gap.border] || gap.depth <= minimum) continue;
    if (gap.isAnnounced) isAnyAnnounced = true;
    blockAround(gap.border);
    chosen.push(gap.border);
  }
  return chosen.sort((a, b) => a - b);
}

/** Returns `FRACTION` of the number of sentences, clamped to the limits. */
function clampShare(sentences: number, { least, most }: { least: number; most: number }): number {
  return Math.max(least, Math.min(most, Math.round(sentences * FRACTION)));
}

/** Computes, for each gap between two sentences, the cosine similarity between the words before and after it. */
function computeCohesions(words: readonly (readonly string[])[], window: number): number[] {
  return Array.from({ length: Math.max(0, words.length - 1) }, (_, gap) => {
    const wordsBefore = countWords(words.slice(Math.max(0, gap + 1 - window), gap + 1));
    const wordsAfter = countWords(words.slice(gap + 1, gap + 1 + window));
    let sharedCount = 0;
    for (const [word, times] of wordsBefore) sharedCount += times * (wordsAfter.get(word) ?? 0);
    return sharedCount === 0
      ? 0
      : sharedCount / Math.sqrt(squaredLength(wordsBefore) * squaredLength(wordsAfter));
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
