import { sql } from 'kysely';
import { dayMs } from '../calendar.ts';
import type { Database, Transaction } from '../db/database.ts';
import { fuse, rankByMeaning } from './embeddings/fusion.ts';
import type { NearParagraph } from './embeddings/vector-search.ts';
import { memoize } from './memoize.ts';
import type { Period } from './periods.ts';
import type { Question } from './question.ts';
import {
  type Candidate,
  type Mention,
  type Mentions,
  minCoverage,
  minRelativeScore,
  type RankedParagraph,
  rankMentions,
  rankParagraphs,
  type Weights,
} from './ranking.ts';
import { readIndexed } from './read-transaction.ts';
import {
  hashSpeakers,
  isSelected,
  passageLanguage,
  passageLength,
  type RecordingSelection,
} from './selection.ts';
import { sum } from './sum.ts';
import { hashTerm } from './terms.ts';

/** Finds the paragraphs of an account that answer a question. */
export interface Retriever {
  /**
   * @param near the paragraphs that are semantically close to the question, if available
   * @returns up to `limit` paragraphs, best first. Empty if no paragraph has enough in common with the question.
   */
  find(
    accountId: string,
    question: Question,
    recordings: RecordingSelection,
    limit: number,
    near?: Promise<readonly NearParagraph[]>,
  ): Promise<RankedParagraph[]>;
}

/**
 * Maximum number of passages to read per term. A more frequent term says little about the question. Reading twice as
 * many takes about half as long again (`npm run bench -- ask-scale`).
 */
const maxMentions = 500;
/** Maximum number of recordings whose passages are ranked. */
const maxRecordings = 12;
/**
 * Maximum number of these recordings that are reserved for the question's period. Other recordings may still match,
 * because a year or month may be the question's subject instead.
 */
const maxRecordingsOfPeriod = 8;
/** Maximum number of best recordings to check for being in the recycle bin. */
const maxRankedRecordings = 500;
/** Maximum number of passages to rank. */
const maxPassages = 8000;

export function createRetriever(db: Database): Retriever {
  /** Ranks the paragraphs that share words with the question. */
  const findByWords = (accountId: string, question: Question, recordings: RecordingSelection) =>
    readIndexed(db, async (trx) => {
      const search = createSearch(trx, accountId, question, recordings);
      const { weights, mentions } = await search.mentions();
      if (sum(weights.values()) === 0) return [];
      const best = await search.chooseRecordings(mentions, weights);
      const ranked = rankParagraphs(await search.loadPassages(best), weights, question);
      const minScore = (ranked[0]?.score ?? 0) * minRelativeScore;
      return ranked.filter(({ score, coverage }) => coverage >= minCoverage && score >= minScore);
    });

  return {
    async find(accountId, question, recordings, limit, near) {
      const [byWords, found = []] = await Promise.all([
        findByWords(accountId, question, recordings),
        near,
      ]);
      if (found.length === 0) return byWords.slice(0, limit);
      const byMeaning = await rankByMeaning(db, accountId, question, recordings, found);
      return fuse([byWords, byMeaning]).slice(0, limit);
    },
  };
}

/** The queries for one question. */
function createSearch(
  trx: Transaction,
  accountId: string,
  { terms, period }: Question,
  recordings: RecordingSelection,
) {
  const allHashes = [
    ...terms.map(({ text }) => hashTerm(accountId, text)),
    ...hashSpeakers(accountId, terms),
  ];
  /** Converts a position in `allHashes`, counted from 1. */
  const toMention = (position: number): Mention => ({
    term: (position - 1) % terms.length,
    inSpeakerName: position > terms.length,
  });
  const isSearched = sql`passages.account_id = ${accountId} and ${isSelected(recordings)}`;

  /** Returns the IDs of the account's recordings of a period, in the local time of each recording. */
  async function findRecordings({ firstDay, lastDay }: Period): Promise<string[]> {
    const localTime = sql<Date>`recorded_at + utc_offset * interval '1 minute'`;
    const [start, end] = [firstDay * dayMs, (lastDay + 1) * dayMs];
    const rows = await trx
      .selectFrom('recordings')
      .select('id')
      .where('account_id', '=', accountId)
      // No UTC offset exceeds a day. The index has no local times.
      .where('recorded_at', '>=', new Date(start - dayMs))
      .where('recorded_at', '<', new Date(end + dayMs))
      .where(localTime, '>=', new Date(start))
      .where(localTime, '<', new Date(end))
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Reads the passages that contain each term, up to the maximum, of all or of the given recordings. */
  async function readMentions(ids: readonly string[] | null): Promise<Mentions[]> {
    if (ids?.length === 0) return [];
    const isOfRecordings =
      ids === null ? sql`true` : sql`passages.recording_id = any(${ids}::uuid[])`;
    // A row per recording, because a row per occurrence takes longer to transfer than to find.
    const { rows } = await sql<{ recording_id: string; passages: string }>`
      with mentions as (
        select recording_id, ordinal, string_agg(position::text, ' ') as positions
        from unnest(${allHashes}::bigint[]) with ordinality as wanted(hash, position),
          lateral (select recording_id, ordinal from passages
            where ${isSearched} and ${isOfRecordings} and terms @> array[wanted.hash] limit ${maxMentions}) as found
        group by recording_id, ordinal
      )
      select recording_id, string_agg(positions, ',') as passages from mentions group by recording_id`.execute(
      trx,
    );
    const parsePassage = memoize((positions: string): Mention[] =>
      positions.split(' ').map((position) => toMention(Number(position))),
    );
    return rows.map(({ recording_id, passages }) => ({
      recordingId: recording_id,
      passages: passages.split(',').map(parsePassage),
    }));
  }

  /** Returns the best recordings that aren't in the recycle bin. */
  async function excludeBinned(ranked: readonly string[]): Promise<string[]> {
    const best = ranked.slice(0, maxRankedRecordings);
    const rows = await trx
      .selectFrom('recordings')
      .select('id')
      .where('id', '=', sql<string>`any(${best}::uuid[])`)
      .where('is_del', '=', 0)
      .execute();
    const existingIds = new Set(rows.map(({ id }) => id));
    return best.filter((id) => existingIds.has(id));
  }

  return {
    /**
     * Returns the occurrences of the terms, and the weight of each term: rare terms are more specific (inverse document
     * frequency).
     */
    async mentions(): Promise<{ weights: Weights; mentions: readonly Mentions[] }> {
      const all = await readMentions(null);
      const index = await trx
        .selectFrom('passage_revisions')
        .select('passages')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      const total = index?.passages ?? 0;
      const inText = terms.map(() => 0);
      const inNames = terms.map(() => 0);
      for (const { passages } of all) {
        for (const { term, inSpeakerName } of passages.flat()) {
          const counts = inSpeakerName ? inNames : inText;
          counts[term] = (counts[term] ?? 0) + 1;
        }
      }
      const weights = new Map(
        terms.map(({ weight, words }, term) => {
          // A name may occur in the text and as the speaker. Weight it by the more frequent use.
          const count = Math.max(inText[term] ?? 0, inNames[term] ?? 0);
          // A concept that no passage contains must not make its word less significant.
          if (words !== null && count === 0) return [term, 0] as const;
          const others = Math.max(0, total - count);
          return [term, weight * Math.log(1 + (others + 0.5) / (count + 0.5))] as const;
        }),
      );
      return { weights, mentions: all };
    },

    /**
     * Returns the IDs of the best recordings, best first. Most of the places are reserved for recordings of the
     * question's period.
     */
    async chooseRecordings(mentions: readonly Mentions[], weights: Weights): Promise<string[]> {
      const during = period === null ? [] : await readMentions(await findRecordings(period));
      const first = await excludeBinned(rankMentions(during, weights, terms));
      const others = await excludeBinned(rankMentions(mentions, weights, terms));
      return [...new Set([...first.slice(0, maxRecordingsOfPeriod), ...others])].slice(
        0,
        maxRecordings,
      );
    },

    /** Returns all passages of recordings that aren't in the recycle bin. */
    async loadPassages(ids: readonly string[]): Promise<Candidate[]> {
      const { rows } = await sql<
        Omit<Candidate, 'matched' | 'speakerTerms'> & { positions: number[] }
      >`
        select passages.recording_id, passages.ordinal, passages.task_id, passages.kinds,
          ${passageLength} as length, recordings.recorded_at, recordings.utc_offset,
          case when passages.terms && ${allHashes}::bigint[]
            then array(select position::int from unnest(${allHashes}::bigint[]) with ordinality as wanted(hash, position)
              where hash = any(passages.terms))
            else '{}' end as positions,
          ${passageLanguage} as language
        from passages join recordings on recordings.id = passages.recording_id
          left join tasks on tasks.id = passages.task_id
        where ${isSearched} and recordings.is_del = 0 and passages.recording_id = any(${ids}::uuid[])
        order by array_position(${ids}::uuid[], passages.recording_id), passages.ordinal limit ${maxPassages}`.execute(
        trx,
      );
      return rows.map(({ positions, ...row }) => {
        const mentions = positions.map(toMention);
        const selectTerms = (isInName: boolean) =>
          mentions
            .filter(({ inSpeakerName }) => inSpeakerName === isInName)
            .map(({ term }) => term);
        return { ...row, matched: selectTerms(false), speakerTerms: selectTerms(true) };
      });
    },
  };
}
