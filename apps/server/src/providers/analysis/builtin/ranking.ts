import type { SentenceWeight } from './note-weights.ts';
import type { Sentence } from './sentences.ts';

/** TextRank's damping factor. */
const DAMPING = 0.85;
/** Number of iterations, well beyond convergence. */
const ROUNDS = 30;
/** Number of sentences per block. Ranking takes quadratic time, so long transcripts are ranked in blocks. */
const BLOCK = 300;
/** Minimum number of topic words in a selected sentence. */
const MIN_WORDS = 2;

/**
 * Selects the `count` sentences that have the most in common with the others (TextRank), in chronological order. Ranks
 * long transcripts in blocks, and then ranks the best sentences of all blocks against each other.
 * @param getWeight returns the amount added to a sentence's rank. The mean rank is 1.
 */
export function chooseSentences(
  sentences: readonly Sentence[],
  count: number,
  getWeight: SentenceWeight = () => 0,
): Sentence[] {
  let pool = sentences.filter((sentence) => getTopics(sentence).size >= MIN_WORDS);
  if (pool.length === 0) pool = [...sentences];
  while (pool.length > BLOCK) {
    const winners: Sentence[] = [];
    for (let from = 0; from < pool.length; from += BLOCK) {
      const block = pool.slice(from, from + BLOCK);
      winners.push(...selectBest(block, Math.max(count, Math.ceil(block.length / 10)), getWeight));
    }
    pool = winners;
  }
  return selectBest(pool, count, getWeight);
}

function getTopics(sentence: Sentence): Set<string> {
  return new Set(sentence.runs.flat());
}

function selectBest(
  pool: readonly Sentence[],
  count: number,
  getWeight: SentenceWeight,
): Sentence[] {
  const scores = rank(pool.map(getTopics), pool.map(getWeight));
  return pool
    .map((sentence, index) => ({ sentence, index, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => sentence);
}

/**
 * Ranks sentences by the words they share (TextRank) and by their weights. A sentence without shared words keeps the
 * base score.
 */
function rank(topics: readonly Set<string>[], weights: readonly number[]): number[] {
  const links = findLinks(topics);
  const totals = links.map((row) => row.reduce((sum, { weight }) => sum + weight, 0));
  let scores = topics.map(() => 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    scores = links.map((row) => {
      let received = 0;
      for (const { to, weight } of row) {
        received += (weight / (totals[to] as number)) * (scores[to] as number);
      }
      return 1 - DAMPING + DAMPING * received;
    });
  }
  // Favor sentences with more topic words.
  return scores.map((score, index) => {
    const size = (topics[index] as Set<string>).size;
    return (score + (weights[index] as number)) * Math.log2(2 + size);
  });
}

/** Returns each sentence's links to sentences with common words, by ascending index. */
function findLinks(topics: readonly Set<string>[]): { to: number; weight: number }[][] {
  const links: { to: number; weight: number }[][] = topics.map(() => []);
  for (const [from, source] of topics.entries()) {
    for (let to = from + 1; to < topics.length; to += 1) {
      const weight = similarity(source, topics[to] as Set<string>);
      if (weight === 0) continue;
      links[from]?.push({ to, weight });
      links[to]?.push({ to: from, weight });
    }
  }
  return links;
}

/** Returns the number of shared words, normalized by length. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let sharedCount = 0;
  for (const word of a) if (b.has(word)) sharedCount += 1;
  return sharedCount === 0 ? 0 : sharedCount / (Math.log2(1 + a.size) + Math.log2(1 + b.size));
}
