import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { DeadlineFailure, withTimeout } from '../../deadline.ts';
import { type Embedder, EmbeddingFailure } from '../../providers/embedding/port.ts';
import type { RecordingSelection } from '../selection.ts';
import type { BitCache, RecordingBits } from './cache.ts';
import { type Place, scanBits } from './scan.ts';
import { dotPacked, packSigns, vectorBytes } from './vectors.ts';

/** A paragraph that is semantically close to a question. */
export interface NearParagraph {
  readonly recordingId: string;
  readonly taskId: string;
  readonly ordinal: number;
  /**
   * How much closer the paragraph is than the account's typical paragraph, in standard deviations. Raw similarities
   * aren't comparable: with some models, unrelated texts have a similarity of 0.8.
   */
  readonly standardScore: number;
}

/** Finds the paragraphs of an account that are semantically close to a question. */
export interface VectorSearch {
  /**
   * @returns the paragraphs, closest first. Empty if no paragraph is close enough, or if the search failed or timed
   *   out, which is logged.
   */
  find(
    accountId: string,
    question: string,
    recordings: RecordingSelection,
  ): Promise<readonly NearParagraph[]>;
}

export interface VectorSearchDependencies {
  readonly db: Database;
  readonly embedder: Embedder;
  readonly cache: BitCache;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Timeout in milliseconds, after which the question is answered by keyword search only. */
  readonly limitMs?: number;
  /** Pause after a failure of the engine in milliseconds, without further requests to it. */
  readonly pauseMs?: number;
}

const defaultLimitMs = 2000;
const defaultPauseMs = 5000;
/** Number of vectors with the most similar sign bits, whose exact similarity is computed. */
const maxCompared = 300;
/** Number of vectors sampled to determine the typical similarity to the question. */
const sampleSize = 100;
/** Minimum number of sampled vectors. With fewer, the typical similarity is unknown. */
const minSample = 8;
/** Minimum closeness in standard deviations. */
const minStandardScore = 3;
/** Minimum closeness relative to the closest paragraph. */
const minRelativeScore = 0.5;
const maxParagraphs = 50;
/**
 * Minimum standard deviation. Without it, tiny differences between paragraphs that are all alike would count as far.
 */
const minDeviation = 0.02;
/** Standard deviation of a normal distribution, relative to its median absolute deviation. */
const normalDeviation = 1.4826;

export function createVectorSearch({
  db,
  embedder,
  cache,
  log,
  limitMs = defaultLimitMs,
  pauseMs = defaultPauseMs,
}: VectorSearchDependencies): VectorSearch {
  let pausedUntil = 0;

  async function search(
    accountId: string,
    question: string,
    recordings: RecordingSelection,
    signal: AbortSignal,
  ): Promise<readonly NearParagraph[]> {
    const { model, vectors } = await embedder.embed({
      kind: 'question',
      texts: [question],
      signal,
    });
    const [vector] = vectors;
    if (vector === undefined) throw new EmbeddingFailure('answer-unusable', 'a vector is missing');
    const chunks = await readSelected(accountId, model, recordings);
    const limits = { nearest: maxCompared, sample: sampleSize };
    const { nearest, sample } = await scanBits(chunks, packSigns(vector), limits);
    if (sample.length < minSample) return [];
    const similarities = await compare(db, accountId, vector, [...nearest, ...sample]);
    const typical = describeTypical(defined(similarities.slice(nearest.length)));
    const closeParagraphs = new Map<string, NearParagraph>();
    for (const [index, { chunk, position }] of nearest.entries()) {
      const similarity = similarities[index];
      if (similarity === undefined) continue;
      const standardScore = (similarity - typical.median) / typical.deviation;
      const ordinal = chunk.ordinals[position] ?? 0;
      const key = `${chunk.recordingId} ${ordinal}`;
      if (
        standardScore < minStandardScore ||
        standardScore <= (closeParagraphs.get(key)?.standardScore ?? 0)
      )
        continue;
      const { recordingId, taskId } = chunk;
      closeParagraphs.set(key, { recordingId, taskId, ordinal, standardScore });
    }
    const sorted = [...closeParagraphs.values()].sort((a, b) => b.standardScore - a.standardScore);
    const minScore = (sorted[0]?.standardScore ?? 0) * minRelativeScore;
    return sorted.filter(({ standardScore }) => standardScore >= minScore).slice(0, maxParagraphs);
  }

  /** Returns the sign bits of the selected recordings, except recordings in the recycle bin. */
  async function readSelected(accountId: string, model: string, recordings: RecordingSelection) {
    const chunks = await cache.get(accountId, model);
    const binned = await db
      .selectFrom('recordings')
      .select('id')
      .where('account_id', '=', accountId)
      .where('is_del', '<>', 0)
      .execute();
    const excluded = new Set(binned.map(({ id }) => id));
    if (recordings === 'all') return chunks.filter(({ recordingId: id }) => !excluded.has(id));
    if ('only' in recordings) {
      const only = new Set(recordings.only);
      return chunks.filter(({ recordingId: id }) => only.has(id) && !excluded.has(id));
    }
    const except = new Set(recordings.except);
    return chunks.filter(({ recordingId: id }) => !except.has(id) && !excluded.has(id));
  }

  return {
    async find(accountId, question, recordings) {
      if (Date.now() < pausedUntil) return [];
      const stopping = new AbortController();
      try {
        return await withTimeout(limitMs, search(accountId, question, recordings, stopping.signal));
      } catch (error) {
        // Never fail: the keyword search still answers the question.
        const isLate = error instanceof DeadlineFailure;
        if (!isLate && !(error instanceof EmbeddingFailure)) {
          log.error({ err: error }, 'semantic search failed, answering by keyword search only');
          return [];
        }
        // If the engine rejects one text, it may still accept the next, so don't pause.
        if (isLate || !error.isCausedByTexts) pausedUntil = Date.now() + pauseMs;
        const [code, reason] = isLate ? ['late', error.message] : [error.code, error.detail];
        log.warn({ code, reason }, 'semantic search failed, answering by keyword search only');
        return [];
      } finally {
        stopping.abort();
      }
    },
  };
}

/**
 * Returns the similarity of each stored vector to the question. Undefined for vectors that were erased or recomputed
 * since the scan.
 */
async function compare(
  db: Database,
  accountId: string,
  question: Float32Array,
  places: readonly Place<RecordingBits>[],
): Promise<(number | undefined)[]> {
  const size = vectorBytes(question.length);
  const { rows } = await sql<{ place: number; vector: Buffer }>`
    select wanted.place::int as place, substring(vectors from wanted.start for ${size}::int) as vector
    from unnest(${places.map(({ chunk }) => chunk.recordingId)}::uuid[],
        ${places.map(({ chunk }) => chunk.version)}::bigint[],
        ${places.map(({ position }) => position * size + 1)}::int[])
      with ordinality as wanted(recording_id, version, start, place)
    join passage_vectors on passage_vectors.recording_id = wanted.recording_id
      and passage_vectors.version = wanted.version and passage_vectors.account_id = ${accountId}`.execute(
    db,
  );
  const similarities: (number | undefined)[] = places.map(() => undefined);
  for (const { place, vector } of rows) similarities[place - 1] = dotPacked(question, vector);
  return similarities;
}

const defined = (values: readonly (number | undefined)[]) =>
  values.filter((value) => value !== undefined);

/**
 * Returns the median of similarities and a robust estimate of their standard deviation. Neither is affected by a few
 * outliers.
 */
function describeTypical(similarities: readonly number[]) {
  const median = computeMedian(similarities);
  const deviation =
    normalDeviation * computeMedian(similarities.map((value) => Math.abs(value - median)));
  return { median, deviation: Math.max(minDeviation, deviation) };
}

function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
