import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';

/**
 * Has objects deleted once the transaction committed. Their leaves go with it: an address whose object
 * is about to go cannot be made a recording again.
 */
export async function discardObjects(
  trx: Transaction,
  queue: Queue,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .deleteFrom('upload_leaves')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute();
  await queue.enqueue(trx, 'delete-objects', { keys });
}
