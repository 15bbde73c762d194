import { setImmediate } from 'node:timers/promises';
import { PACKET_MS } from '@linnet/audio/format';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { findConcepts } from './concepts/lexicon.ts';
import { detectKinds } from './kinds.ts';
import type { Question } from './question.ts';
import { type Candidate, minCoverage, minRelativeScore, rankParagraphs } from './ranking.ts';
import { sum } from './sum.ts';
import { conceptTerm, extractTerms } from './terms.ts';

/** A part of the live text of a recording in progress. */
export interface LivePassage {
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly text: string;
}

/** Number of passages to process before yielding to the event loop. */
const batchSize = 200;

/**
 * Finds the passages of a recording in progress that answer a question, best first. They aren't in the index, because
 * the final transcript will have different paragraphs. Only settled (final) text is searched.
 */
export async function findLivePassages(
  db: Database,
  accountId: string,
  clientFlag: string,
  question: Question,
  limit: number,
): Promise<LivePassage[]> {
  const slices = await db
    .selectFrom('live_slices')
    .innerJoin('live_sessions', 'live_sessions.id', 'live_slices.session_id')
    .select(['session_id', 'first', 'text', 'language', 'created_at'])
    // Select only the first word's time (seconds from the start of the recording), because the results of a long
    // recording are large.
    .select(sql<number | null>`(result #>> '{words,0,start}')::float8`.as('start'))
    .where('account_id', '=', accountId)
    .where('client_flag', '=', clientFlag)
    .where('text', '!=', '')
    .orderBy('first')
    .execute();
  const candidates: Candidate[] = [];
  for (const [ordinal, { session_id: id, text, language, created_at }] of slices.entries()) {
    if (ordinal % batchSize === batchSize - 1) await setImmediate();
    const terms = new Set(extractTerms(text).map((term) => term.text));
    const concepts = new Set(findConcepts(text, [language]).map(({ concept }) => concept));
    const conceptTerms = new Set([...concepts].map(conceptTerm));
    const matched = question.terms.flatMap((term, index) =>
      (term.words === null ? terms : conceptTerms).has(term.text) ? index : [],
    );
    const kinds = detectKinds(text, language, concepts);
    candidates.push({
      ...{ recording_id: id, task_id: id, ordinal, kinds, language },
      ...{ length: terms.size, matched, speakerTerms: [], recorded_at: created_at, utc_offset: 0 },
    });
  }
  const weights = new Map(
    question.terms.map(({ weight }, index) => {
      const count = candidates.filter(({ matched }) => matched.includes(index)).length;
      const others = candidates.length - count;
      return [index, count === 0 ? 0 : weight * Math.log(2 + others / count)] as const;
    }),
  );
  if (sum(weights.values()) === 0) return [];
  const ranked = rankParagraphs(candidates, weights, question);
  const minScore = (ranked[0]?.score ?? 0) * minRelativeScore;
  return ranked
    .filter(({ score, coverage }) => coverage >= minCoverage && score >= minScore)
    .slice(0, limit)
    .flatMap(({ ordinal }) => {
      const slice = slices[ordinal];
      if (slice === undefined) return [];
      return { start: slice.start ?? (slice.first * PACKET_MS) / 1000, text: slice.text };
    });
}
