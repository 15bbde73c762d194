/** Decides which recordings a retention rule moves to the recycle bin. */
import { sql } from 'kysely';
import { addMonths, dayMs } from '../../calendar.ts';
import type { Queries, Row } from '../../db/database.ts';
import { displayName } from '../recording/view.ts';
import { activeStatuses } from '../task/active-tasks.ts';

/** The recordings that a rule is about: their tag (null for all) and age. */
type RuleScope = Pick<Row<'retention_rules'>, 'tag' | 'after' | 'unit'>;

/** Returns the latest time at which a recording was made that has the rule's age at a time. */
export function cutoffOf({ after, unit }: RuleScope, at: Date): Date {
  return unit === 'day' ? new Date(at.getTime() - after * dayMs) : addMonths(at, -after);
}

/**
 * Selects an account's recordings outside the recycle bin that have a rule's tag and age. The age counts from when a
 * recording was made, registered, its audio stored, or restored from the recycle bin, whichever was last: a file of last
 * year that is imported today isn't old, nor is a recording that the owner has just taken out of the bin.
 */
export function selectMatching(queries: Queries, accountId: string, rule: RuleScope, at: Date) {
  const cutoff = cutoffOf(rule, at);
  return queries
    .selectFrom('recordings')
    .where('recordings.account_id', '=', accountId)
    .where('is_del', '=', 0)
    .where('recorded_at', '<=', cutoff)
    .where('recordings.created_at', '<=', cutoff)
    .where((condition) =>
      condition.and(
        (['object_stored_at', 'restored_at'] as const).map((column) =>
          condition.or([condition(column, 'is', null), condition(column, '<=', cutoff)]),
        ),
      ),
    )
    .$if(rule.tag !== null, (query) =>
      query.where(sql<boolean>`tags @> ${JSON.stringify([rule.tag])}::jsonb`),
    );
}

type Obstacle = 'protected' | 'not_stored' | 'transcribing' | 'shared';

/**
 * Why a rule leaves a matching recording alone at a time; null if it moves it. The server can't know whether another copy
 * exists of audio that it doesn't have, that its store has lost, or whose digest it hasn't computed. Links would no longer
 * show a recording that is moved.
 */
export const obstacleAt = (at: Date) => sql<Obstacle | null>`case
  when is_protected = 1 then 'protected'
  when object_key is null or lost_at is not null or recordings.audio_sha256 is null or object_stored_at is null
    then 'not_stored'
  when exists (select from tasks
    where tasks.recording_id = recordings.id and tasks.status in (${sql.join(activeStatuses)})) then 'transcribing'
  when exists (select from share_links
    where share_links.recording_id = recordings.id and (expires_at is null or expires_at > ${at})) then 'shared'
  end`;

/** The columns that describe an affected recording. */
export const affectedColumns = [
  'recordings.id',
  'client_flag',
  'recorded_at',
  'total_time',
  displayName.as('title'),
] as const;
