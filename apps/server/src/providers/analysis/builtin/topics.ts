import { capitalize } from '../../../transcript/english.ts';
import { extractKeywords } from './keywords.ts';
import type { Sentence } from './sentences.ts';

/** Consecutive sentences about one subject. */
export interface Topic {
  readonly name: string;
  readonly sentences: readonly Sentence[];
  /** Seconds: the start of the next topic, or the end of the transcript. */
  readonly end: number;
}

/** Sentences compared on each side of a gap (TextTiling's block). Smaller blocks share words only by chance. */
const WINDOW = 6;
/** Minimum sentences of a topic. */
const SHORTEST = 6;
/** Keywords in a topic's name. */
const NAME_KEYWORDS = 3;

/**
 * Divides sentences at the gaps across which the fewest words are shared
 * (TextTiling), at valleys of above-average depth.
 */
export function findTopics(sentences: readonly Sentence[], language: string): Topic[] {
  const starts = [0, ...borders(sentences), sentences.length];
  return starts.slice(1).flatMap((to, index) => {
    const own = sentences.slice(starts[index], to);
    const name = extractKeywords(own, language, NAME_KEYWORDS).join(', ');
    const last = own.at(-1);
    if (!last || name === '') return [];
    const end = Math.max(sentences[to]?.start ?? last.paragraph.end, last.start);
    return [{ name: capitalize(name), sentences: own, end }];
  });
}

function borders(sentences: readonly Sentence[]): number[] {
  const cohesion = cohesions(sentences.map(({ runs }) => runs.flat()));
  const depths = cohesion.map((value, gap) => {
    const left = peak(cohesion, gap, -1);
    const right = peak(cohesion, gap, 1);
    return left - value + (right - value);
  });
  if (depths.length === 0) return [];
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const variance = depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / depths.length;
  const least = mean + Math.sqrt(variance) / 2;
  const chosen: number[] = [];
  const deepestFirst = [...depths.keys()].sort(
    (a, b) => (depths[b] as number) - (depths[a] as number) || a - b,
  );
  /** Gaps too close to a chosen border or to an end. */
  const taken = new Uint8Array(sentences.length + 1);
  const take = (border: number) =>
    taken.fill(1, Math.max(0, border - SHORTEST + 1), border + SHORTEST);
  take(0);
  take(sentences.length);
  for (const gap of deepestFirst) {
    if ((depths[gap] as number) <= least) break;
    // Gap 0 precedes sentence 1.
    if (taken[gap + 1]) continue;
    take(gap + 1);
    chosen.push(gap + 1);
  }
  return chosen.sort((a, b) => a - b);
}

/** The highest value uphill from a gap. */
function peak(values: readonly number[], gap: number, step: 1 | -1): number {
  let at = gap;
  while ((values[at + step] ?? -1) >= (values[at] as number) && Math.abs(at - gap) < WINDOW) {
    at += step;
  }
  return values[at] as number;
}

/** For each gap between two sentences, the cosine of the words before and after it. */
function cohesions(words: readonly (readonly string[])[]): number[] {
  return Array.from({ length: Math.max(0, words.length - 1) }, (_, gap) => {
    const before = count(words.slice(Math.max(0, gap + 1 - WINDOW), gap + 1));
    const after = count(words.slice(gap + 1, gap + 1 + WINDOW));
    let shared = 0;
    for (const [word, times] of before) shared += times * (after.get(word) ?? 0);
    return shared === 0 ? 0 : shared / Math.sqrt(square(before) * square(after));
  });
}

function count(sentences: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function square(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const times of counts.values()) sum += times * times;
  return sum;
}
