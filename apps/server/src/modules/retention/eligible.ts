/** Decides which recordings a retention rule moves to the recycle bin. */
import { sql } from 'kysely';
import { addMonths, dayMs } from '../../calendar.ts';
import type { Queries, Row } from '../../db/database.ts';
import { displayName } from '../recording/view.ts';
import { activeStatuses } from '../task/active-tasks.ts';

/** The tag (null for all recordings) and age of the recordings that a rule applies to. */
type RuleScope = Pick<Row<'retention_rules'>, 'tag' | 'after' | 'unit'>;

/** Returns the date at or before which recordings must have been made to have the rule's age at a given time. */
export function computeCutoff({ after, unit }: RuleScope, at: Date): Date {
  return unit === 'day' ? new Date(at.getTime() - after * dayMs) : addMonths(at, -after);
}

/**
 * Selects an account's recordings outside the recycle bin that have a rule's tag and age. A recording's age is the time
 * since it was made, registered, stored, or restored from the recycle bin, whichever happened last. A file from last
 * year that was imported today is therefore new, and so is a recording that the user has just restored.
 */
export function selectMatching(queries: Queries, accountId: string, rule: RuleScope, at: Date) {
  const cutoff = computeCutoff(rule, at);
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
 * SQL expression for the reason why a rule skips a matching recording at a given time, or null if it moves the
 * recording.
 * - `not_stored`: the server has no audio, has lost it, or hasn't computed its digest, so it can't know whether a copy
 *   exists.
 * - `shared`: a valid share link would stop working.
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

/** The columns returned for an affected recording. */
export const affectedColumns = [
  'recordings.id',
  'client_flag',
  'recorded_at',
  'total_time',
  displayName.as('title'),
] as const;
