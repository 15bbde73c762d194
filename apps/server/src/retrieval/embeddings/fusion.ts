import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Question } from '../question.ts';
import { type Candidate, type RankedParagraph, scoreMultiplier } from '../ranking.ts';
import {
  hashSpeakers,
  isSelected,
  passageLanguage,
  passageLength,
  type RecordingSelection,
} from '../selection.ts';
import type { NearParagraph } from './vector-search.ts';

/**
 * Ranks paragraphs by their semantic closeness to a question, best first. The question's period, speaker and intent are
 * weighted as in the keyword ranking.
 */
export async function rankByMeaning(
  db: Database,
  accountId: string,
  question: Question,
  recordings: RecordingSelection,
  near: readonly NearParagraph[],
): Promise<RankedParagraph[]> {
  const candidates = await readCandidates(db, accountId, question, recordings, near);
  return candidates
    .map(({ standard_score, ...candidate }) => ({
      recordingId: candidate.recording_id,
      taskId: candidate.task_id,
      ordinal: candidate.ordinal,
      coverage: 0,
      score: standard_score * scoreMultiplier(candidate, question),
    }))
    .sort((a, b) => b.score - a.score || a.recordingId.localeCompare(b.recordingId));
}

type NearCandidate = Candidate & { readonly task_id: string; readonly standard_score: number };

/** Reads the passages of paragraphs. Omits paragraphs that have since been replaced, or are in the recycle bin. */
async function readCandidates(
  db: Database,
  accountId: string,
  { terms }: Question,
  recordings: RecordingSelection,
  near: readonly NearParagraph[],
): Promise<NearCandidate[]> {
  const speakerHashes = hashSpeakers(accountId, terms);
  const { rows } = await sql<NearCandidate>`
    select passages.recording_id, passages.ordinal, passages.task_id, passages.kinds,
      ${passageLength} as length, recordings.recorded_at, recordings.utc_offset,
      array[]::int[] as matched,
      case when passages.terms && ${speakerHashes}::bigint[] then array[0] else array[]::int[] end as "speakerTerms",
      near.standard_score, ${passageLanguage} as language
    from unnest(${near.map(({ recordingId }) => recordingId)}::uuid[],
        ${near.map(({ taskId }) => taskId)}::uuid[], ${near.map(({ ordinal }) => ordinal)}::int[],
        ${near.map(({ standardScore }) => standardScore)}::float8[])
      as near(recording_id, task_id, ordinal, standard_score)
    join passages on passages.recording_id = near.recording_id and passages.ordinal = near.ordinal
      and passages.task_id = near.task_id
    join recordings on recordings.id = passages.recording_id
    join tasks on tasks.id = passages.task_id
    where passages.account_id = ${accountId} and ${isSelected(recordings)} and recordings.is_del = 0`.execute(
    db,
  );
  return rows;
}

/**
 * Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). Their 60 suits dozens of similar rankings. Of two
 * different ones, it would prefer a paragraph in the middle of both to the first of one.
 */
const fusionConstant = 1;

/**
 * Merges rankings by reciprocal rank fusion: a paragraph's score is the sum of 1 / (1 + rank). Scores of different
 * rankings aren't comparable, but ranks are.
 */
export function fuse(rankings: readonly (readonly RankedParagraph[])[]): RankedParagraph[] {
  const fused = new Map<string, RankedParagraph>();
  for (const ranking of rankings) {
    for (const [index, paragraph] of ranking.entries()) {
      const key = `${paragraph.taskId} ${paragraph.ordinal}`;
      const fusedParagraph = fused.get(key);
      const score = (fusedParagraph?.score ?? 0) + 1 / (fusionConstant + index + 1);
      fused.set(key, { ...(fusedParagraph ?? paragraph), score });
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}
