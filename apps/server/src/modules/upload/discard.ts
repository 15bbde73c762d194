import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { unfinishedHours } from '../../providers/storage/port.ts';

/** An upload that began under a valid grant has ended this long after the grant's end, in parts or not. */
export const slowUploadMs = (unfinishedHours + 6) * 3_600_000;

/**
 * Schedules the deletion of objects for after the commit and deletes their upload grants, so that an object about to
 * be deleted cannot become a recording again. If a grant could still be used to store the object again, a second
 * deletion is scheduled for after the end of that grant.
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
  const ends = grants.map(({ expires_at: end }) => end.getTime() + slowUploadMs);
  const last = new Date(Math.max(0, ...ends));
  if (last <= now) return;
  await queue.enqueue(trx, 'delete-objects', { keys: grants.map(({ key }) => key) }, last);
}
