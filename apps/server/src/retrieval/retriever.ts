import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Question } from './question.ts';
import {
  type Candidate,
  type RankedParagraph,
  rankParagraphs,
  rankRecordings,
  sum,
  type Weights,
} from './ranking.ts';
import { hashTerm, speakerTerm } from './terms.ts';

/** The recordings to search, by their IDs. */
export type RecordingSelection =
  | 'all'
  | { readonly only: readonly string[] }
  | { readonly except: readonly string[] };

/** Finds the paragraphs of an account that answer a question. */
export interface Retriever {
  /**
   * @returns up to `limit` paragraphs, best first; none if no paragraph has enough in common with the question
   */
  find(
    accountId: string,
    question: Question,
    recordings: RecordingSelection,
    limit: number,
  ): Promise<RankedParagraph[]>;
}

/** The passages by which recordings are ranked. Terms are used from the rarest on, as long as they add no more. */
const maxCandidates = 4000;
/** The passages that are counted to estimate how rare a term is. */
const maxCounted = 40_000;
/** The recordings whose passages are ranked, and the maximum number of these passages. */
const maxRecordings = 12;
const maxPassages = 8000;
/** The least score of a paragraph, relative to the best one's. */
const minRelativeScore = 0.35;
/** The least coverage of a paragraph. */
const minCoverage = 0.12;

export function createRetriever(db: Database): Retriever {
  return {
    async find(accountId, question, recordings, limit) {
      const search = createSearch(db, accountId, question, recordings);
      const weights = await search.weights();
      if (sum(weights.values()) === 0) return [];
      const candidates = await search.candidates(weights);
      const best = rankRecordings(candidates, weights, question).slice(0, maxRecordings);
      const ranked = rankParagraphs(await search.passagesOf(best), weights, question);
      const minScore = (ranked[0]?.score ?? 0) * minRelativeScore;
      return ranked
        .filter(({ score, coverage }) => coverage >= minCoverage && score >= minScore)
        .slice(0, limit);
    },
  };
}

/** The queries for one question. */
function createSearch(
  db: Database,
  accountId: string,
  { terms }: Question,
  recordings: RecordingSelection,
) {
  const hashes = terms.map(({ text }) => hashTerm(accountId, text));
  const speakerHashes = terms.map(({ text }) => hashTerm(accountId, speakerTerm(text)));
  /** Number of passages that contain a term or were said by a person with this name, by the term's index. */
  const frequencies = new Map<number, number>();
  const isSearched = sql`passages.account_id = ${accountId} and ${isSelected(recordings)}`;
  const wanted = (list: readonly string[]) =>
    sql`unnest(${list}::bigint[]) with ordinality as wanted(term, position)`;
  const matchesOf = (list: readonly string[]) => sql`array(
    select (position - 1)::int from ${wanted(list)} where term = any(passages.terms))`;
  const select = sql`select passages.recording_id, passages.ordinal, passages.task_id, passages.kinds,
      cardinality(passages.terms) as length, recordings.recorded_at, recordings.utc_offset,
      ${matchesOf(hashes)} as matched, ${matchesOf(speakerHashes)} as spoken
    from passages join recordings on recordings.id = passages.recording_id
    where ${isSearched} and recordings.is_del = 0`;

  return {
    /** Returns the weight of each term by its index: rare terms say more about what is asked for. */
    async weights(): Promise<Weights> {
      const { rows } = await sql<{ index: number; count: number; total: number }>`
        select (position - 1)::int % ${terms.length} as index,
          (select count(*)::int from (
            select from passages where ${isSearched} and terms @> array[wanted.term] limit ${maxCandidates}
          ) as containing) as count,
          (select count(*)::int from (
            select from passages where ${isSearched} limit ${maxCounted}
          ) as counted) as total
        from ${wanted([...hashes, ...speakerHashes])}`.execute(db);
      const weights = new Map<number, number>();
      for (const { index, count, total } of rows) {
        frequencies.set(index, (frequencies.get(index) ?? 0) + count);
        const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5));
        const weight = Math.max(0, rarity) * (terms[index]?.share ?? 0);
        // A name weighs as much as it helps to tell passages apart, in the text or as the speaker.
        weights.set(index, Math.min(weights.get(index) ?? Number.POSITIVE_INFINITY, weight));
      }
      return weights;
    },

    /** Returns passages that contain the rarest terms. */
    async candidates(weights: Weights): Promise<Candidate[]> {
      const chosen: string[] = [];
      let count = 0;
      for (const [index] of [...weights].sort(([, a], [, b]) => b - a)) {
        const frequency = frequencies.get(index) ?? 0;
        if (frequency === 0) continue;
        if (chosen.length > 0 && count + frequency > maxCandidates) break;
        chosen.push(...[hashes[index], speakerHashes[index]].flatMap((hash) => hash ?? []));
        count += frequency;
      }
      if (chosen.length === 0) return [];
      const { rows } = await sql<Candidate>`${select}
        and passages.terms && ${chosen}::bigint[] limit ${maxCandidates}`.execute(db);
      return rows;
    },

    /** Returns all passages of recordings. */
    async passagesOf(ids: readonly string[]): Promise<Candidate[]> {
      const { rows } = await sql<Candidate>`${select}
        and passages.recording_id = any(${ids}::uuid[]) limit ${maxPassages}`.execute(db);
      return rows;
    },
  };
}

function isSelected(recordings: RecordingSelection) {
  if (recordings === 'all') return sql`true`;
  return 'only' in recordings
    ? sql`passages.recording_id = any(${recordings.only}::uuid[])`
    : sql`passages.recording_id <> all(${recordings.except}::uuid[])`;
}
