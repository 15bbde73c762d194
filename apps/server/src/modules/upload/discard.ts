import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { unfinishedHours } from '../../providers/storage/port.ts';

/** How long an upload that was started under a valid grant, multipart or not, can outlast the grant. */
export const maxUploadOverrunMs = (unfinishedHours + 6) * 3_600_000;

/**
 * Deletes the upload grants of objects, and enqueues a job that deletes the objects after the commit. Without its
 * grant, an object can no longer be registered as a recording. An upload in progress may store the object after the job
 * has run, so a second deletion is scheduled for when no upload under the grant can still be in progress.
 */
export async function discardObjects(
  trx: Transaction,
  queue: Queue,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  const grants = await trx
    .deleteFrom('upload_leaves')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .returning(['key', 'expires_at'])
    .execute();
  await queue.enqueue(trx, 'delete-objects', { keys });
  const uploadEnds = grants.map(
    ({ expires_at: expiresAt }) => expiresAt.getTime() + maxUploadOverrunMs,
  );
  const lastUploadEnd = new Date(Math.max(0, ...uploadEnds));
  if (lastUploadEnd <= now) return;
  await queue.enqueue(trx, 'delete-objects', { keys: grants.map(({ key }) => key) }, lastUploadEnd);
}
