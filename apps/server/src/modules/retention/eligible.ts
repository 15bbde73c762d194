/** Decides which recordings a retention rule moves to the recycle bin. */
import { sql } from 'kysely';
import { addMonths, dayMs } from '../../calendar.ts';
import type { Queries, Row } from '../../db/database.ts';
import { displayName } from '../recording/view.ts';
import { activeStatuses } from '../task/active-tasks.ts';

/** The recordings that a rule is about: their tag (null for all) and age. */
type RuleScope = Pick<Row<'retention_rules'>, 'tag' | 'after' | 'unit'>;

/** Returns the latest time at which a recording was made that has the rule's age now. */
export function cutoffOf({ after, unit }: RuleScope, now: Date): Date {
  return unit === 'day' ? new Date(now.getTime() - after * dayMs) : addMonths(now, -after);
}

/**
 * Selects an account's recordings outside the recycle bin that have a rule's tag and age. The age counts from when a
 * recording was made, uploaded or restored from the recycle bin, whichever was last: a file of last year that is imported
 * today isn't old, nor is a recording that the owner has just taken out of the bin.
 */
export function selectMatching(queries: Queries, accountId: string, rule: RuleScope, now: Date) {
  const cutoff = cutoffOf(rule, now);
  return queries
    .selectFrom('recordings')
    .where('recordings.account_id', '=', accountId)
    .where('is_del', '=', 0)
    .where('recorded_at', '<=', cutoff)
    .where('recordings.created_at', '<=', cutoff)
    .where((condition) =>
      condition.or([condition('restored_at', 'is', null), condition('restored_at', '<=', cutoff)]),
    )
    .$if(rule.tag !== null, (query) =>
      query.where(sql<boolean>`tags @> ${JSON.stringify([rule.tag])}::jsonb`),
    );
}

/**
 * Why a rule leaves a matching recording alone; null if it moves it. The server can't know whether another copy exists of
 * audio that it doesn't have, that its store has lost, or whose digest it hasn't computed.
 */
export const obstacle = sql<'protected' | 'not_stored' | 'transcribing' | null>`case
  when is_protected = 1 then 'protected'
  when object_key is null or lost_at is not null or recordings.audio_sha256 is null then 'not_stored'
  when exists (select from tasks
    where tasks.recording_id = recordings.id and tasks.status in (${sql.join(activeStatuses.map((status) => sql.lit(status)))})) then 'transcribing'
  end`;

/** The columns that describe an affected recording. */
export const affectedColumns = [
  'recordings.id',
  'client_flag',
  'recorded_at',
  'total_time',
  displayName.as('title'),
] as const;
