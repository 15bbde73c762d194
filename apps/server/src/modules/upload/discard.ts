import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { unfinishedHours } from '../../providers/storage/port.ts';

/** An upload that began while its leave was good has ended so long after, in parts or not. */
export const slowUploadMs = (unfinishedHours + 6) * 3_600_000;

/**
 * Has objects deleted once the transaction committed. Their leaves go with it: an address whose object
 * is about to go cannot be made a recording again. While a leave could still be used to store the
 * object anew, it is deleted once more after that.
 */
export async function discardObjects(
  trx: Transaction,
  queue: Queue,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  const leaves = await trx
    .deleteFrom('upload_leaves')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .returning(['key', 'expires_at'])
    .execute();
  await queue.enqueue(trx, 'delete-objects', { keys });
  const ends = leaves.map(({ expires_at: end }) => end.getTime() + slowUploadMs);
  const last = new Date(Math.max(0, ...ends));
  if (last <= now) return;
  await queue.enqueue(trx, 'delete-objects', { keys: leaves.map(({ key }) => key) }, last);
}
