import { taskStatus } from '@linnet/contract/statuses';
import type { Queries, Row } from '../../db/database.ts';

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

/** ID of the engine whose transcripts are drafts. */
export const draftEngine = 'pocketsphinx';

/** True if a transcript is a draft. */
export function isDraft(transcript: Pick<Row<'tasks'>, 'engine'> | undefined): boolean {
  return transcript?.engine?.split('/')[0] === draftEngine;
}
