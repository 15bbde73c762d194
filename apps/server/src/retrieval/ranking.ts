import { dayMs } from '../calendar.ts';
import { paragraphKinds } from './kinds.ts';
import type { Question } from './question.ts';
import { aboutRecording } from './tables.ts';

/** Ranks passages by the terms that a question has in common with the passage, its surroundings and its recording. */

/** A term of the question in a passage. */
export interface Mention {
  /** Index of the term. */
  readonly term: number;
  /** Whether the term is part of the speaker's name. */
  readonly spoken: boolean;
  readonly recording_id: string;
  readonly ordinal: number;
}

/** A passage and the question terms that it matches. */
export interface Candidate {
  readonly recording_id: string;
  /** The paragraph's ordinal, or `aboutRecording`. */
  readonly ordinal: number;
  readonly task_id: string | null;
  /** Bit mask of `paragraphKinds`. */
  readonly kinds: number;
  /** Number of terms. */
  readonly length: number;
  /** Indexes of the question's terms that the passage contains. */
  readonly matched: readonly number[];
  /** Indexes of the question's terms that the speaker's name contains. */
  readonly spoken: readonly number[];
  readonly recorded_at: Date;
  /** The user's UTC offset in minutes, positive if local time was ahead of UTC. */
  readonly utc_offset: number;
}

/** A paragraph that may answer the question. */
export interface RankedParagraph {
  readonly recordingId: string;
  readonly taskId: string;
  readonly ordinal: number;
  /** Comparable only between the paragraphs of one question. */
  readonly score: number;
  /** Share of the question's terms (by weight) that the paragraph and its surroundings contain, from 0 to 1. */
  readonly coverage: number;
}

/** The weights of the question's terms, by term index. */
export type Weights = ReadonlyMap<number, number>;

/**
 * Weights of terms in neighboring paragraphs, relative to terms in the paragraph itself. An answer follows its
 * question, and often repeats none of its words.
 */
const surroundings: readonly { readonly distance: number; readonly weight: number }[] = [
  { distance: -1, weight: 0.45 },
  { distance: 1, weight: 0.25 },
  { distance: -2, weight: 0.2 },
  { distance: 2, weight: 0.1 },
];
/** Weight of terms in the previous paragraph if it is a question. */
const questionWeight = 0.8;
/** Weight of terms in the recording's names, tags, keywords and place. */
const aboutWeight = 0.3;
/** Weight of terms elsewhere in the recording. */
const recordingWeight = 0.2;
/** Factor for paragraphs of recordings within the question's period. */
const inPeriod = 1.6;
/** Factor for paragraphs of recordings outside of the question's period. */
const outOfPeriod = 0.45;
/** Factor for paragraphs that are questions, which rarely answer a question. */
const questionFactor = 0.65;
/** Factor for paragraphs with tasks, if the question asks for tasks. */
const taskFactor = 1.5;
/** Factor for paragraphs whose speaker the question names. */
const speakerFactor = 1.3;
/** Length normalization as in BM25 (its parameter b), from 0 (none) to 1 (full). */
const lengthNormalization = 0.3;
/** Number of terms in a paragraph of average length. */
const averageTerms = 25;

/** Minimum score of a result, relative to the best score. */
export const minRelativeScore = 0.35;
/** Minimum coverage of a result. */
export const minCoverage = 0.08;

/** Lower bound of the length normalization. Without it, very short paragraphs would outrank complete answers. */
const minLengthFactor = 0.85;

/**
 * Ranks recordings by the total weight of their matching terms plus the weight of their best passage, best first.
 * @returns their IDs
 */
export function rankMentions(mentions: readonly Mention[], weights: Weights): string[] {
  return [...Map.groupBy(mentions, ({ recording_id: id }) => id)]
    .map(([id, ofRecording]) => {
      const passages = Map.groupBy(ofRecording, ({ ordinal }) => ordinal).values();
      const best = Math.max(...[...passages].map((passage) => weightOf(passage, weights)));
      return { id, score: weightOf(ofRecording, weights) + best };
    })
    .sort((a, b) => b.score - a.score || b.id.localeCompare(a.id))
    .map(({ id }) => id);
}

/** Returns the total weight of the distinct mentioned terms. */
function weightOf(mentions: readonly Mention[], weights: Weights): number {
  return sum([...new Set(mentions.map(({ term }) => term))].map((term) => weights.get(term) ?? 0));
}

/**
 * Ranks paragraphs, best first. A paragraph's score is the sum of its term weights, multiplied by factors for its
 * period, kind and speaker. Terms in the paragraph count most, terms in its surroundings less. Each term counts once,
 * where its weight is highest.
 * @param candidates all passages of the recordings that may contain the answer
 */
export function rankParagraphs(
  candidates: readonly Candidate[],
  weights: Weights,
  question: Question,
): RankedParagraph[] {
  const total = sum(weights.values());
  return [...Map.groupBy(candidates, ({ recording_id: id }) => id).values()]
    .flatMap((passages) => {
      const whole = termWeights(passages, weights);
      const byOrdinal = new Map(passages.map((each) => [each.ordinal, each]));
      return passages.flatMap((passage): RankedParagraph | [] => {
        if (passage.task_id === null) return [];
        const contextWeights = termWeightsInContext(passage, byOrdinal, weights);
        const coverage =
          sum([...contextWeights.keys()].map((index) => weights.get(index) ?? 0)) / total;
        mergeMax(contextWeights, whole, recordingWeight);
        return {
          recordingId: passage.recording_id,
          taskId: passage.task_id,
          ordinal: passage.ordinal,
          coverage,
          score: sum(contextWeights.values()) * scoreMultiplier(passage, question),
        };
      });
    })
    .sort(
      (a, b) =>
        b.score - a.score || a.recordingId.localeCompare(b.recordingId) || a.ordinal - b.ordinal,
    );
}

/** Returns the term weights of a paragraph, including the terms of its surroundings. */
function termWeightsInContext(
  passage: Candidate,
  byOrdinal: ReadonlyMap<number, Candidate>,
  weights: Weights,
): Map<number, number> {
  const contextWeights = new Map<number, number>();
  const lengthFactor = Math.max(
    minLengthFactor,
    1 - lengthNormalization + (lengthNormalization * passage.length) / averageTerms,
  );
  mergeMax(contextWeights, termWeights([passage], weights), 1 / lengthFactor);
  for (const { distance, weight } of surroundings) {
    const other = passage.ordinal + distance;
    const neighbor = other < 0 ? undefined : byOrdinal.get(other);
    if (neighbor === undefined) continue;
    const isAnswer =
      distance === -1 && hasKind(neighbor, 'question') && !hasKind(passage, 'question');
    mergeMax(contextWeights, termWeights([neighbor], weights), isAnswer ? questionWeight : weight);
  }
  const about = byOrdinal.get(aboutRecording);
  if (about) mergeMax(contextWeights, termWeights([about], weights), aboutWeight);
  return contextWeights;
}

/** Returns the weights of the terms in passages, including the names of their speakers. */
function termWeights(passages: readonly Candidate[], weights: Weights): Map<number, number> {
  const result = new Map<number, number>();
  for (const { matched, spoken } of passages) {
    for (const index of [...matched, ...spoken]) result.set(index, weights.get(index) ?? 0);
  }
  return result;
}

/** Merges scaled term weights into `merged`, keeping the larger weight of each term. */
function mergeMax(merged: Map<number, number>, added: ReadonlyMap<number, number>, factor: number) {
  for (const [index, weight] of added) {
    if (weight * factor > (merged.get(index) ?? 0)) merged.set(index, weight * factor);
  }
}

const hasKind = ({ kinds }: Candidate, kind: keyof typeof paragraphKinds) =>
  (kinds & paragraphKinds[kind]) !== 0;

/** Returns the score multiplier for a passage's period, kind and speaker. */
export function scoreMultiplier(passage: Candidate, question: Question): number {
  return (
    periodFactor(passage, question) *
    (hasKind(passage, 'question') ? questionFactor : 1) *
    (question.isAboutTasks && hasKind(passage, 'task') ? taskFactor : 1) *
    (passage.spoken.length > 0 ? speakerFactor : 1)
  );
}

function periodFactor({ recorded_at, utc_offset }: Candidate, { period }: Question): number {
  if (period === null) return 1;
  const day = Math.floor((recorded_at.getTime() + utc_offset * 60_000) / dayMs);
  return day >= period.firstDay && day <= period.lastDay ? inPeriod : outOfPeriod;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
