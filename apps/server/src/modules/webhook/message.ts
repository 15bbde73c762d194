import type { WebhookMessage } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import { taskStatus } from '@linnet/contract/statuses';
import { webhookTest } from '@linnet/contract/webhooks';
import { sql } from 'kysely';
import type { Queries, Row } from '../../db/database.ts';
import { displayName } from '../recording/view.ts';

type Delivery = Pick<
  Row<'webhook_deliveries'>,
  'id' | 'webhook_id' | 'type' | 'recording_id' | 'client_flag' | 'occurred_at'
>;

/**
 * Generates the bodies of deliveries from the current state of their recordings, so no title or other data is stored
 * twice. If the recording has since been deleted, the body contains only its IDs.
 * @param origin the server's public URL
 * @returns the bodies, keyed by delivery ID
 */
export async function writeMessages(
  queries: Queries,
  deliveries: readonly Delivery[],
  origin: string,
): Promise<ReadonlyMap<string, WebhookMessage>> {
  const recordings = await findRecordings(
    queries,
    deliveries.flatMap(({ recording_id: id }) => id ?? []),
  );
  const api_url = `${origin}/api`;
  return new Map(
    deliveries.map((delivery): [string, WebhookMessage] => {
      const { id, type, occurred_at, recording_id, client_flag } = delivery;
      const timestamp = occurred_at.toISOString();
      if (type === webhookTest) {
        return [id, { type, timestamp, data: { webhook_id: delivery.webhook_id, api_url } }];
      }
      const ids = { radio_file_id: recording_id ?? '', client_flag: client_flag ?? '', api_url };
      const recording = recordings.get(ids.radio_file_id);
      const data = recording ? { ...ids, ...toDetails(recording, origin) } : ids;
      return [id, { type, timestamp, data }];
    }),
  );
}

type RecordingRow =
  Awaited<ReturnType<typeof findRecordings>> extends Map<string, infer Row> ? Row : never;

async function findRecordings(queries: Queries, ids: readonly string[]) {
  const rows = await queries
    .selectFrom('recordings')
    .select(['id', 'client_flag', 'total_time', 'is_del', 'recorded_at', 'created_at'])
    .select(['updated_at', displayName.as('title')])
    .select((query) =>
      query
        .selectFrom('tasks')
        .select('tasks.id')
        .whereRef('tasks.recording_id', '=', 'recordings.id')
        .where('status', '=', taskStatus.transcribed)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .as('task_id'),
    )
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function toDetails(recording: RecordingRow, origin: string) {
  const { title, task_id, is_del, total_time, client_flag: flag } = recording;
  return {
    url: `${origin}/pages/fileDetail?${new URLSearchParams({ id: flag })}`,
    title,
    task_id,
    total_time: wholeSeconds(total_time),
    is_del,
    recorded_at: recording.recorded_at.toISOString(),
    created_at: recording.created_at.toISOString(),
    updated_at: recording.updated_at.toISOString(),
  };
}
