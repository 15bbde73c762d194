import { sql } from 'kysely';
import { dayMs } from '../calendar.ts';
import type { Database } from '../db/database.ts';
import type { Question } from './question.ts';
import { aboutRecording } from './tables.ts';
import { hashTerm } from './terms.ts';

/** Finds the paragraphs of an account that answer a question. */
export interface Retriever {
  /**
   * @param recordings IDs of the recordings to search; all if null
   * @returns up to `limit` paragraphs, best first; none if no paragraph has enough in common with the question
   */
  find(
    accountId: string,
    question: Question,
    recordings: readonly string[] | null,
    limit: number,
  ): Promise<FoundParagraph[]>;
}

export interface FoundParagraph {
  readonly recordingId: string;
  readonly taskId: string;
  readonly ordinal: number;
  /** Comparable only between the paragraphs of one question. */
  readonly score: number;
  /** The part of the question's terms, by weight, that the paragraph and its surroundings contain, from 0 to 1. */
  readonly coverage: number;
}

/** The passages that are looked at. Terms are used from the rarest on, as long as they add no more than these. */
const maxCandidates = 4000;
/** The candidates that are ranked together with their neighbors. */
const maxRanked = 80;
/** The recordings whose passages are all ranked, because their names match. */
const maxNamedRecordings = 5;
const maxNamedPassages = 400;

/** Weights of terms in the neighboring paragraphs and in the recording's name, relative to those in the paragraph. */
const neighborWeight = 0.35;
const aboutWeight = 0.3;
/** Factors for paragraphs of recordings within the question's period, and outside of it. */
const inPeriod = 1.6;
const outOfPeriod = 0.45;
/** Part of the weight of a long paragraph's terms that doesn't depend on its length, as in BM25. */
const lengthIndependent = 0.7;
/** Terms of a paragraph of average length. */
const averageTerms = 25;
/** The least coverage of an answer. */
export const minCoverage = 0.34;

interface Candidate {
  readonly recording_id: string;
  readonly ordinal: number;
  readonly task_id: string | null;
  /** Number of terms. */
  readonly length: number;
  /** Indexes of the question's terms that the passage contains. */
  readonly matched: readonly number[];
  readonly recorded_at: Date;
  readonly utc_offset: number;
}

export function createRetriever(db: Database): Retriever {
  return {
    async find(accountId, question, recordings, limit) {
      const search = createSearch(db, accountId, question, recordings);
      const weights = await search.weights();
      const total = sum(weights.values());
      if (total === 0) return [];
      const candidates = await search.candidates(weights);
      const ranked = rank(candidates, weights, question).slice(0, maxRanked);
      const surroundings = await search.surroundings(ranked);
      return rank(surroundings, weights, question, ranked)
        .filter(({ coverage }) => coverage >= minCoverage)
        .slice(0, limit);
    },
  };
}

type Weights = ReadonlyMap<number, number>;

/** The queries for one question. */
function createSearch(
  db: Database,
  accountId: string,
  { terms }: Question,
  recordings: readonly string[] | null,
) {
  const hashes = terms.map(({ text }) => hashTerm(accountId, text));
  const frequencies = new Map<number, number>();
  const isSearched = sql`passages.account_id = ${accountId} ${
    recordings === null ? sql`` : sql`and passages.recording_id = any(${recordings}::uuid[])`
  }`;
  const columns = sql`passages.recording_id, passages.ordinal, passages.task_id,
    cardinality(passages.terms) as length, recordings.recorded_at, recordings.utc_offset,
    array(select (position - 1)::int from unnest(${hashes}::bigint[]) with ordinality as wanted(term, position)
      where term = any(passages.terms)) as matched`;
  const searched = sql`passages join recordings on recordings.id = passages.recording_id
    where ${isSearched} and recordings.is_del = 0`;

  return {
    /** Returns the weight of each term by its index: rare terms say more about what is asked for. */
    async weights(): Promise<Weights> {
      const { rows } = await sql<{ index: number; count: number; total: number }>`
        select (position - 1)::int as index,
          (select count(*)::int from (
            select from passages where ${isSearched} and terms @> array[wanted.term] limit ${maxCandidates}
          ) as containing) as count,
          (select count(*)::int from (
            select from passages where ${isSearched} limit ${maxCandidates * 10}
          ) as passages) as total
        from unnest(${hashes}::bigint[]) with ordinality as wanted(term, position)`.execute(db);
      const weights = new Map<number, number>();
      for (const { index, count, total } of rows) {
        frequencies.set(index, count);
        const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5));
        weights.set(index, Math.max(0, rarity) * (terms[index]?.share ?? 0));
      }
      return weights;
    },

    async candidates(weights: Weights): Promise<Candidate[]> {
      const byWeight = [...weights].sort(([, a], [, b]) => b - a);
      const chosen: string[] = [];
      let count = 0;
      for (const [index] of byWeight) {
        const frequency = frequencies.get(index) ?? 0;
        const hash = hashes[index];
        if (frequency === 0 || hash === undefined) continue;
        if (chosen.length > 0 && count + frequency > maxCandidates) break;
        chosen.push(hash);
        count += frequency;
      }
      if (chosen.length === 0) return [];
      const { rows } = await sql<Candidate>`select ${columns} from ${searched}
        and passages.terms && ${chosen}::bigint[] limit ${maxCandidates}`.execute(db);
      const named = rows
        .filter(({ ordinal }) => ordinal === aboutRecording)
        .map((row) => ({ row, weight: sum(row.matched.map((index) => weights.get(index) ?? 0)) }))
        .sort((a, b) => b.weight - a.weight)
        .slice(0, maxNamedRecordings)
        .map(({ row }) => row.recording_id);
      if (named.length === 0) return rows;
      const { rows: others } = await sql<Candidate>`select ${columns} from ${searched}
        and passages.recording_id = any(${named}::uuid[])
        and passages.terms && ${hashes}::bigint[] limit ${maxNamedPassages}`.execute(db);
      return unique([...rows, ...others]);
    },

    /** Returns the passages with their neighbors and those about their recordings. */
    async surroundings(ranked: readonly FoundParagraph[]): Promise<Candidate[]> {
      const places = ranked.flatMap(({ recordingId, ordinal }) =>
        [aboutRecording, ordinal - 1, ordinal, ordinal + 1].map((each) => ({
          id: recordingId,
          ordinal: each,
        })),
      );
      const { rows } = await sql<Candidate>`select ${columns} from ${searched}
        and (passages.recording_id, passages.ordinal) in (
          select * from unnest(${places.map(({ id }) => id)}::uuid[], ${places.map(({ ordinal }) => ordinal)}::int[])
        )`.execute(db);
      return rows;
    },
  };
}

const placeOf = (recordingId: string, ordinal: number) => `${recordingId}/${ordinal}`;

function unique(candidates: readonly Candidate[]): Candidate[] {
  return [
    ...new Map(candidates.map((each) => [placeOf(each.recording_id, each.ordinal), each])).values(),
  ];
}

/**
 * Ranks passages, best first.
 * @param only the passages to rank; the others only count as surroundings
 */
function rank(
  candidates: readonly Candidate[],
  weights: Weights,
  { period }: Question,
  only?: readonly FoundParagraph[],
): FoundParagraph[] {
  const total = sum(weights.values());
  const byPlace = new Map(
    candidates.map((each) => [placeOf(each.recording_id, each.ordinal), each]),
  );
  const places = only && new Set(only.map((each) => placeOf(each.recordingId, each.ordinal)));
  return candidates
    .flatMap((passage): FoundParagraph | [] => {
      const { recording_id: recordingId, ordinal, task_id: taskId } = passage;
      if (ordinal === aboutRecording || taskId === null) return [];
      if (places && !places.has(placeOf(recordingId, ordinal))) return [];
      const at = (other: number) => byPlace.get(placeOf(recordingId, other))?.matched ?? [];
      const found = new Map<number, number>();
      const add = (indexes: readonly number[], factor: number) => {
        for (const index of indexes) {
          const weight = (weights.get(index) ?? 0) * factor;
          if (weight > (found.get(index) ?? 0)) found.set(index, weight);
        }
      };
      add(
        passage.matched,
        1 / (lengthIndependent + ((1 - lengthIndependent) * passage.length) / averageTerms),
      );
      add([...at(ordinal - 1), ...at(ordinal + 1)], neighborWeight);
      add(at(aboutRecording), aboutWeight);
      const score = sum(found.values());
      const covered = sum([...found.keys()].map((index) => weights.get(index) ?? 0));
      return {
        ...{ recordingId, taskId, ordinal, coverage: covered / total },
        score: score * periodFactor(passage, period),
      };
    })
    .sort(
      (a, b) =>
        b.score - a.score || a.recordingId.localeCompare(b.recordingId) || a.ordinal - b.ordinal,
    );
}

function periodFactor({ recorded_at, utc_offset }: Candidate, period: Question['period']): number {
  if (period === null) return 1;
  const day = Math.floor((recorded_at.getTime() + utc_offset * 60_000) / dayMs);
  return day >= period.firstDay && day <= period.lastDay ? inPeriod : outOfPeriod;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
