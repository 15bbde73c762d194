import { dayMs } from '../calendar.ts';
import { paragraphKinds } from './kinds.ts';
import type { Question } from './question.ts';
import { aboutRecording } from './tables.ts';

/** Ranks passages by the terms that they, their surroundings and their recordings share with a question. */

/** A term of the question in a passage. */
export interface Mention {
  /** Index of the term. */
  readonly term: number;
  /** Whether the term is part of the speaker's name. */
  readonly spoken: boolean;
  readonly recording_id: string;
  readonly ordinal: number;
}

/** A passage with what it shares with the question. */
export interface Candidate {
  readonly recording_id: string;
  /** The paragraph's ordinal, or `aboutRecording`. */
  readonly ordinal: number;
  readonly task_id: string | null;
  /** Sum of the bits of `paragraphKinds`. */
  readonly kinds: number;
  /** Number of terms. */
  readonly length: number;
  /** Indexes of the question's terms that the passage contains. */
  readonly matched: readonly number[];
  /** Indexes of the question's terms that the speaker's name contains. */
  readonly spoken: readonly number[];
  readonly recorded_at: Date;
  /** How many minutes the user's local time was ahead of UTC. */
  readonly utc_offset: number;
}

/** A paragraph that may answer the question. */
export interface RankedParagraph {
  readonly recordingId: string;
  readonly taskId: string;
  readonly ordinal: number;
  /** Comparable only between the paragraphs of one question. */
  readonly score: number;
  /** The part of the question's terms, by weight, that the paragraph and its surroundings contain, from 0 to 1. */
  readonly coverage: number;
}

/** The weight of each term of the question by its index. */
export type Weights = ReadonlyMap<number, number>;

/**
 * Weights of terms outside of a paragraph, relative to those in it. An answer follows its question, and often repeats
 * none of its words.
 */
const surroundings: readonly { readonly distance: number; readonly weight: number }[] = [
  { distance: -1, weight: 0.45 },
  { distance: 1, weight: 0.25 },
  { distance: -2, weight: 0.2 },
  { distance: 2, weight: 0.1 },
];
/** Weight of the terms of the previous paragraph, if it is a question. */
const questionWeight = 0.8;
/** Weight of the terms in the names of the recording. */
const aboutWeight = 0.3;
/** Weight of the terms anywhere else in the recording. */
const recordingWeight = 0.2;
/** Factors for paragraphs of recordings within the question's period, and outside of it. */
const inPeriod = 1.6;
const outOfPeriod = 0.45;
/** Factor for questions, which rarely answer another one. */
const questionFactor = 0.65;
/** Factor for tasks, if the question asks for them. */
const taskFactor = 1.5;
/** Factor for paragraphs whose speaker the question names. */
const speakerFactor = 1.3;
/** Part of the weight of a long paragraph's terms that doesn't depend on its length, as in BM25. */
const lengthIndependent = 0.7;
/** Terms of a paragraph of average length. */
const averageTerms = 25;

/** The least score of a paragraph that is returned, relative to the best one's. */
export const minRelativeScore = 0.35;
/** The least coverage of a paragraph that is returned. */
export const minCoverage = 0.08;

/** The least length, so that a short paragraph's few words don't outweigh a complete answer. */
const shortest = 0.85;

/**
 * Ranks recordings by the terms that occur in them, and those that occur in one of their passages, best first.
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

/** Returns the weight of the distinct terms that are mentioned. */
function weightOf(mentions: readonly Mention[], weights: Weights): number {
  return sum([...new Set(mentions.map(({ term }) => term))].map((term) => weights.get(term) ?? 0));
}

/** Ranks paragraphs, best first. @param candidates all passages of the recordings that may contain the answer */
export function rankParagraphs(
  candidates: readonly Candidate[],
  weights: Weights,
  question: Question,
): RankedParagraph[] {
  const total = sum(weights.values());
  return [...Map.groupBy(candidates, ({ recording_id: id }) => id).values()]
    .flatMap((passages) => {
      const whole = collect(passages, weights);
      const byOrdinal = new Map(passages.map((each) => [each.ordinal, each]));
      return passages.flatMap((passage): RankedParagraph | [] => {
        if (passage.task_id === null) return [];
        const found = surrounded(passage, byOrdinal, weights);
        const coverage = sum([...found.keys()].map((index) => weights.get(index) ?? 0)) / total;
        addTo(found, whole, recordingWeight);
        return {
          recordingId: passage.recording_id,
          taskId: passage.task_id,
          ordinal: passage.ordinal,
          coverage,
          score: sumOf(found) * factorOf(passage, question),
        };
      });
    })
    .sort(
      (a, b) =>
        b.score - a.score || a.recordingId.localeCompare(b.recordingId) || a.ordinal - b.ordinal,
    );
}

/** Returns the weights of the terms of a paragraph and its surroundings. */
function surrounded(
  passage: Candidate,
  byOrdinal: ReadonlyMap<number, Candidate>,
  weights: Weights,
): Map<number, number> {
  const found = new Map<number, number>();
  const length = Math.max(
    shortest,
    lengthIndependent + ((1 - lengthIndependent) * passage.length) / averageTerms,
  );
  addTo(found, collect([passage], weights), 1 / length);
  for (const { distance, weight } of surroundings) {
    const other = passage.ordinal + distance;
    const neighbor = other < 0 ? undefined : byOrdinal.get(other);
    if (neighbor === undefined) continue;
    const isAnswer = distance === -1 && isOf(neighbor, 'question') && !isOf(passage, 'question');
    addTo(found, collect([neighbor], weights), isAnswer ? questionWeight : weight);
  }
  const about = byOrdinal.get(aboutRecording);
  if (about) addTo(found, collect([about], weights), aboutWeight);
  return found;
}

/** Returns the weights of the terms that passages or the names of their speakers contain. */
function collect(passages: readonly Candidate[], weights: Weights): Map<number, number> {
  const found = new Map<number, number>();
  for (const { matched, spoken } of passages) {
    for (const index of [...matched, ...spoken]) found.set(index, weights.get(index) ?? 0);
  }
  return found;
}

/** Adds the weights of terms that weigh more than those already found. */
function addTo(found: Map<number, number>, others: ReadonlyMap<number, number>, factor: number) {
  for (const [index, weight] of others) {
    if (weight * factor > (found.get(index) ?? 0)) found.set(index, weight * factor);
  }
}

const isOf = ({ kinds }: Candidate, kind: keyof typeof paragraphKinds) =>
  Math.floor(kinds / paragraphKinds[kind]) % 2 === 1;

/** Returns how much a passage's period, kind and speaker raise or lower it. */
export function factorOf(passage: Candidate, question: Question): number {
  return (
    periodFactor(passage, question) *
    (isOf(passage, 'question') ? questionFactor : 1) *
    (question.isAboutTasks && isOf(passage, 'task') ? taskFactor : 1) *
    (passage.spoken.length > 0 ? speakerFactor : 1)
  );
}

function periodFactor({ recorded_at, utc_offset }: Candidate, { period }: Question): number {
  if (period === null) return 1;
  const day = Math.floor((recorded_at.getTime() + utc_offset * 60_000) / dayMs);
  return day >= period.firstDay && day <= period.lastDay ? inPeriod : outOfPeriod;
}

const sumOf = (found: ReadonlyMap<number, number>) => sum(found.values());

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
