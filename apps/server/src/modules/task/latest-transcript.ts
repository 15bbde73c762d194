import { taskStatus } from '@linnet/contract/statuses';
import type { ExpressionBuilder } from 'kysely';
import type { Queries, Row } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';

type LatestTranscript = Pick<
  Row<'tasks'>,
  'id' | 'summary_json' | 'engine' | 'language' | 'minutes' | 'is_free'
>;

/** Finds a recording's latest completed task, whose transcript the app shows. */
export function latestTranscript(
  queries: Queries,
  recordingId: string,
): Promise<LatestTranscript | undefined> {
  return selectTranscripts(queries, recordingId).executeTakeFirst();
}

/** Finds the latest completed task that transcribed the whole recording. */
export function latestWholeTranscript(
  queries: Queries,
  recordingId: string,
): Promise<LatestTranscript | undefined> {
  return selectTranscripts(queries, recordingId).where('range', 'is', null).executeTakeFirst();
}

function selectTranscripts(queries: Queries, recordingId: string) {
  return queries
    .selectFrom('tasks')
    .select(['id', 'summary_json', 'engine', 'language', 'minutes', 'is_free'])
    .where('recording_id', '=', recordingId)
    .where('status', '=', taskStatus.transcribed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
}

/** Selects each recording's latest transcript as `transcript`, for lateral joins. */
export const selectLatestTranscript = (builder: ExpressionBuilder<Tables, 'recordings'>) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'summary', 'summary_json'])
    .whereRef('tasks.recording_id', '=', 'recordings.id')
    .where('status', '=', taskStatus.transcribed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .as('transcript');

/** ID of the engine that produces drafts. */
export const draftEngine = 'pocketsphinx';

/** Returns whether a transcript is a draft. */
export function isDraft(transcript: Pick<Row<'tasks'>, 'engine'> | undefined): boolean {
  return transcript?.engine?.split('/')[0] === draftEngine;
}
