import { wordJoiner } from '../../../transcript/paragraphs.ts';
import type { Sentence } from './sentences.ts';

/** Maximum words of a keyword. */
const LONGEST_PHRASE = 3;

interface Candidate {
  readonly words: readonly string[];
  count: number;
  /** Position of the first mention; the earlier wins a tie. */
  readonly first: number;
}

/**
 * Extracts keywords, most relevant first, with a variant of RAKE: phrases are
 * runs of words between stop words, and words are weighted by their frequency
 * and by the length of their phrases.
 */
export function extractKeywords(
  sentences: readonly Sentence[],
  language: string,
  limit: number,
): string[] {
  const weights = wordWeights(sentences);
  const scored = candidates(sentences)
    .map((candidate) => ({
      candidate,
      score:
        Math.sqrt(candidate.count) *
        candidate.words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first);
  const chosen: (readonly string[])[] = [];
  for (const { candidate } of scored) {
    if (chosen.length === limit) break;
    // A word within a chosen phrase is redundant, and vice versa.
    const known = chosen.some((words) => overlaps(words, candidate.words));
    if (!known) chosen.push(candidate.words);
  }
  return chosen.map((words) => words.join(wordJoiner(language)));
}

function overlaps(a: readonly string[], b: readonly string[]): boolean {
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** A word's frequency plus its neighbors in phrases (RAKE's degree). */
function wordWeights(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, { said: number; neighbours: number }>();
  for (const run of sentences.flatMap((sentence) => sentence.runs)) {
    for (const word of run) {
      const entry = counts.get(word) ?? { said: 0, neighbours: 0 };
      entry.said += 1;
      entry.neighbours += Math.min(run.length, LONGEST_PHRASE) - 1;
      counts.set(word, entry);
    }
  }
  const weights = new Map<string, number>();
  for (const [word, { said, neighbours }] of counts) {
    weights.set(word, Math.log2(1 + said) * (1 + (0.5 * neighbours) / said));
  }
  return weights;
}

function candidates(sentences: readonly Sentence[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const run of sentences.flatMap((sentence) => sentence.runs)) {
    for (let from = 0; from < run.length; from += LONGEST_PHRASE) {
      const words = run.slice(from, from + LONGEST_PHRASE);
      const key = words.join(' ');
      const known = found.get(key);
      if (known) known.count += 1;
      else found.set(key, { words, count: 1, first: found.size });
    }
  }
  return [...found.values()];
}
