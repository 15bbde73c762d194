import { dayMs } from '../calendar.ts';
import { primaryLanguage } from '../providers/analysis/builtin/language.ts';
import { paragraphKinds } from './kinds.ts';
import type { Question, QuestionTerm } from './question.ts';
import { sum } from './sum.ts';
import { metadataOrdinal } from './tables.ts';

/**
 * Ranks passages by the question terms that they, their surroundings and their recordings contain. The score is a
 * variant of BM25:
 *
 *     score = multiplier × coverage ^ 0.35 × Σ weight(term) × max(proximity(term))
 *
 * The sum is over the question's terms, and `weight` is a term's inverse document frequency. Term frequency is ignored,
 * because paragraphs are short. Instead, a term also counts if it only occurs near the paragraph: the largest
 * applicable proximity is used.
 * - The paragraph contains the term: 1 / length normalization, where the normalization is 1 - b + b × length / average
 *   length, as in BM25, but at least `minLengthNormalization`.
 * - A paragraph at most two positions away contains it: `neighborProximities`, or `questionProximity`.
 * - The recording's names, tags, keywords or place contain it: `metadataProximity`.
 * - Any other part of the recording contains it: `recordingProximity`.
 *
 * A concept adds only the amount by which its weight exceeds that of the word the question uses for it. The multiplier
 * depends on the period, language, kind and speaker of the paragraph.
 */

/** The occurrences of question terms in a recording. */
export interface Mentions {
  readonly recordingId: string;
  /** The occurrences in each passage that has some. */
  readonly passages: readonly (readonly Mention[])[];
}

/** An occurrence of a question term in a passage. */
export interface Mention {
  /** Index of the term in the question. */
  readonly term: number;
  /** True if the term occurs in the speaker's name rather than in the text. */
  readonly inSpeakerName: boolean;
}

/** A passage and the question terms it matches. */
export interface Candidate {
  readonly recording_id: string;
  /** The paragraph's ordinal, or `metadataOrdinal`. */
  readonly ordinal: number;
  readonly task_id: string | null;
  /** Bit mask of `paragraphKinds`. */
  readonly kinds: number;
  /** The language of the transcript, or null for the metadata passage. */
  readonly language: string | null;
  /** Length in terms. */
  readonly length: number;
  /** Indexes of the question terms that the passage contains. */
  readonly matched: readonly number[];
  /** Indexes of the question terms that the speaker's name contains. */
  readonly speakerTerms: readonly number[];
  readonly recorded_at: Date;
  /** UTC offset of the user's local time, in minutes. */
  readonly utc_offset: number;
}

/** A paragraph that may answer the question. */
export interface RankedParagraph {
  readonly recordingId: string;
  readonly taskId: string;
  readonly ordinal: number;
  /** Comparable only between paragraphs found for the same question. */
  readonly score: number;
  /** Share of the question's terms, by weight, that the paragraph and its surroundings contain, from 0 to 1. */
  readonly coverage: number;
}

/** The weight of each question term, keyed by its index. */
export type Weights = ReadonlyMap<number, number>;

/**
 * Proximity of terms in the neighboring paragraphs. The preceding paragraph counts most, because an answer follows its
 * question and often repeats none of its words.
 */
const neighborProximities: readonly { readonly distance: number; readonly proximity: number }[] = [
  { distance: -1, proximity: 0.65 },
  { distance: 1, proximity: 0.25 },
  { distance: -2, proximity: 0.2 },
  { distance: 2, proximity: 0.1 },
];
/** Proximity of terms in the preceding paragraph if it is a question and this paragraph isn't. */
const questionProximity = 0.8;
/** Proximity of terms in the recording's names, tags, keywords and place. */
const metadataProximity = 0.6;
/** Proximity of terms anywhere else in the recording. */
const recordingProximity = 0.3;
/** Multiplier for recordings within the period that the question mentions. */
const inPeriodMultiplier = 1.6;
/** Multiplier for recordings outside the period that the question mentions. */
const outOfPeriodMultiplier = 0.45;
/** Multiplier for paragraphs in a different language from the question. Most questions are in the recording's language. */
const otherLanguageMultiplier = 0.6;
/** Multiplier for paragraphs that are questions, which rarely answer another question. */
const questionMultiplier = 0.5;
/** Multiplier for paragraphs that contain a task, if the question asks for tasks. */
const taskMultiplier = 1.5;
/** Multiplier for paragraphs that contain the type of answer that the question expects, such as a number or a date. */
const expectedMultiplier = 1.35;
/** Multiplier for paragraphs whose speaker is named in the question. */
const speakerMultiplier = 1.3;
/** Exponent of the coverage factor, which favors paragraphs that contain more of the question's terms. */
const coverageExponent = 0.35;
/** BM25 length normalization: 0 for none, 1 for full normalization. */
const b = 0.3;
/** Average length of a paragraph, in terms. */
const averageLength = 25;
/** Lower bound of the length normalization. Without it, very short paragraphs would outrank complete answers. */
const minLengthNormalization = 0.85;

/** Minimum score of a returned paragraph, relative to the best paragraph's score. */
export const minRelativeScore = 0.35;
/** Minimum coverage of a returned paragraph. */
export const minCoverage = 0.08;

/**
 * Ranks recordings by the total weight of their matching terms plus the weight of the terms in their best passage, best
 * first.
 * @param terms the question's terms
 * @returns the IDs of the recordings
 */
export function rankMentions(
  mentions: readonly Mentions[],
  weights: Weights,
  terms: readonly QuestionTerm[],
): string[] {
  /** The total weights of passages. Many passages share their occurrences. */
  const sums = new Map<readonly Mention[], number>();
  const sumWeights = (passage: readonly Mention[]) =>
    sumTerms(new Map(passage.map(({ term }) => [term, weights.get(term) ?? 0])), terms);
  const sumPassage = (passage: readonly Mention[]) => {
    const value = sums.get(passage) ?? sumWeights(passage);
    sums.set(passage, value);
    return value;
  };
  return mentions
    .map(({ recordingId, passages }) => {
      const best = Math.max(...passages.map(sumPassage));
      const all = passages.length === 1 ? best : sumWeights(passages.flat());
      return { id: recordingId, score: all + best };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

/**
 * Returns the sum of the values of a question's terms. A word and its concepts count once, with the highest of their
 * values.
 * @param values values of terms, by index
 */
export function sumTerms(values: Weights, terms: readonly QuestionTerm[]): number {
  const counted = new Map<number, number>();
  const concepts: { readonly index: number; readonly value: number }[] = [];
  for (const [index, value] of values) {
    if (terms[index]?.words) concepts.push({ index, value });
    else counted.set(index, value);
  }
  for (const { index, value } of concepts.sort((a, b) => b.value - a.value)) {
    // If several words express the concept, use the one with the highest value so far.
    let word: readonly number[] = [index];
    let wordValue = 0;
    for (const candidate of terms[index]?.words ?? []) {
      const candidateValue = sum(candidate.map((term) => counted.get(term) ?? 0));
      if (wordValue === 0 || candidateValue > wordValue)
        [word, wordValue] = [candidate, candidateValue];
    }
    const missing = Math.max(0, value - wordValue) / word.length;
    for (const term of word) counted.set(term, (counted.get(term) ?? 0) + missing);
  }
  return sum(counted.values());
}

/**
 * Ranks paragraphs, best first.
 * @param candidates all passages of the recordings that may contain the answer
 */
export function rankParagraphs(
  candidates: readonly Candidate[],
  weights: Weights,
  question: Question,
): RankedParagraph[] {
  const { terms } = question;
  const total = sumTerms(weights, terms);
  return [...Map.groupBy(candidates, ({ recording_id: id }) => id).values()]
    .flatMap((passages) => {
      const recordingWeights = findTermWeights(passages, weights);
      const byOrdinal = new Map(passages.map((each) => [each.ordinal, each]));
      return passages.flatMap((passage): RankedParagraph | [] => {
        if (passage.task_id === null) return [];
        const matches = findWeightsInContext(passage, byOrdinal, weights);
        const covered = new Map(
          [...matches.keys()].map((index) => [index, weights.get(index) ?? 0]),
        );
        const coverage = sumTerms(covered, terms) / total;
        mergeMax(matches, recordingWeights, recordingProximity);
        return {
          recordingId: passage.recording_id,
          taskId: passage.task_id,
          ordinal: passage.ordinal,
          coverage,
          score:
            sumTerms(matches, terms) *
            coverage ** coverageExponent *
            scoreMultiplier(passage, question),
        };
      });
    })
    .sort(
      (a, b) =>
        b.score - a.score || a.recordingId.localeCompare(b.recordingId) || a.ordinal - b.ordinal,
    );
}

/** Returns the weights of the terms in a paragraph and its surroundings, scaled by their proximity. */
function findWeightsInContext(
  passage: Candidate,
  byOrdinal: ReadonlyMap<number, Candidate>,
  weights: Weights,
): Map<number, number> {
  const matches = new Map<number, number>();
  const lengthNormalization = Math.max(
    minLengthNormalization,
    1 - b + (b * passage.length) / averageLength,
  );
  mergeMax(matches, findTermWeights([passage], weights), 1 / lengthNormalization);
  for (const { distance, proximity } of neighborProximities) {
    const ordinal = passage.ordinal + distance;
    const neighbor = ordinal < 0 ? undefined : byOrdinal.get(ordinal);
    if (neighbor === undefined) continue;
    const isAnswer =
      distance === -1 && hasKind(neighbor, 'question') && !hasKind(passage, 'question');
    const neighborWeights = findTermWeights([neighbor], weights);
    mergeMax(matches, neighborWeights, isAnswer ? questionProximity : proximity);
  }
  const metadata = byOrdinal.get(metadataOrdinal);
  if (metadata) mergeMax(matches, findTermWeights([metadata], weights), metadataProximity);
  return matches;
}

/** Returns the weights of the terms in passages or in the names of their speakers. */
function findTermWeights(passages: readonly Candidate[], weights: Weights): Map<number, number> {
  const termWeights = new Map<number, number>();
  for (const { matched, speakerTerms } of passages) {
    for (const index of [...matched, ...speakerTerms])
      termWeights.set(index, weights.get(index) ?? 0);
  }
  return termWeights;
}

/** Merges scaled term weights into `target`, keeping the larger weight of each term. */
function mergeMax(target: Map<number, number>, added: ReadonlyMap<number, number>, scale: number) {
  for (const [index, weight] of added) {
    if (weight * scale > (target.get(index) ?? 0)) target.set(index, weight * scale);
  }
}

const hasKind = ({ kinds }: Candidate, kind: keyof typeof paragraphKinds) =>
  (kinds & paragraphKinds[kind]) !== 0;

/** Returns the score multiplier for a passage's period, language, kind and speaker. */
export function scoreMultiplier(passage: Candidate, question: Question): number {
  return (
    periodMultiplier(passage, question) *
    languageMultiplier(passage, question) *
    (hasKind(passage, 'question') ? questionMultiplier : 1) *
    (question.isAboutTasks && hasKind(passage, 'task') ? taskMultiplier : 1) *
    ((passage.kinds & question.expectedKinds) !== 0 ? expectedMultiplier : 1) *
    (passage.speakerTerms.length > 0 ? speakerMultiplier : 1)
  );
}

const languageMultiplier = ({ language }: Candidate, { languages }: Question) =>
  languages.includes(primaryLanguage(language ?? '')) ? 1 : otherLanguageMultiplier;

function periodMultiplier({ recorded_at, utc_offset }: Candidate, { period }: Question): number {
  if (period === null) return 1;
  const day = Math.floor((recorded_at.getTime() + utc_offset * 60_000) / dayMs);
  return day >= period.firstDay && day <= period.lastDay
    ? inPeriodMultiplier
    : outOfPeriodMultiplier;
}
