import { taskStatus } from '@linnet/contract/statuses';
import type { Queries, Row } from '../../db/database.ts';

/** The transcript that a recording shows: the latest that was made; undefined while there is none. */
export function latestTranscript(
  queries: Queries,
  recordingId: string,
): Promise<Pick<Row<'tasks'>, 'id' | 'summary_json'> | undefined> {
  return queries
    .selectFrom('tasks')
    .select(['id', 'summary_json'])
    .where('recording_id', '=', recordingId)
    .where('status', '=', taskStatus.transcribed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}
