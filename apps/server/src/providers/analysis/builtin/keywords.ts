import { wordJoiner } from '../../../transcript/paragraphs.ts';
import type { Sentence } from './sentences.ts';

/** Maximum number of words in a keyword. */
const LONGEST_PHRASE = 3;

interface Candidate {
  readonly words: readonly string[];
  count: number;
  /** Position of the first mention. The earlier candidate wins a tie. */
  readonly first: number;
}

/**
 * Extracts keywords, most relevant first, with a variant of RAKE: phrases are runs of words between stop words, and
 * each word is weighted by its frequency and by the length of the phrases that contain it.
 */
export function extractKeywords(
  sentences: readonly Sentence[],
  language: string,
  limit: number,
): string[] {
  const weights = computeWordWeights(sentences);
  const scored = collectCandidates(sentences)
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
    // A candidate is redundant if its words are part of a chosen phrase, or vice versa.
    const isRedundant = chosen.some((words) => overlaps(words, candidate.words));
    if (!isRedundant) chosen.push(candidate.words);
  }
  return chosen.map((words) => words.join(wordJoiner(language)));
}

function overlaps(a: readonly string[], b: readonly string[]): boolean {
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** Weights each word by its frequency and by its neighbors in phrases (RAKE's degree). */
function computeWordWeights(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, { occurrences: number; neighbours: number }>();
  for (const run of sentences.flatMap((sentence) => sentence.runs)) {
    for (const word of run) {
      const entry = counts.get(word) ?? { occurrences: 0, neighbours: 0 };
      entry.occurrences += 1;
      entry.neighbours += Math.min(run.length, LONGEST_PHRASE) - 1;
      counts.set(word, entry);
    }
  }
  const weights = new Map<string, number>();
  for (const [word, { occurrences, neighbours }] of counts) {
    weights.set(word, Math.log2(1 + occurrences) * (1 + (0.5 * neighbours) / occurrences));
  }
  return weights;
}

function collectCandidates(sentences: readonly Sentence[]): Candidate[] {
  const candidatesByText = new Map<string, Candidate>();
  for (const run of sentences.flatMap((sentence) => sentence.runs)) {
    for (let from = 0; from < run.length; from += LONGEST_PHRASE) {
      const words = run.slice(from, from + LONGEST_PHRASE);
      const key = words.join(' ');
      const isRedundant = candidatesByText.get(key);
      if (isRedundant) isRedundant.count += 1;
      else candidatesByText.set(key, { words, count: 1, first: candidatesByText.size });
    }
  }
  return [...candidatesByText.values()];
}
