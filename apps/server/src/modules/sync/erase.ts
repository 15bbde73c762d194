import { getRegisterPrefix } from '@linnet/contract/operations';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Minutes } from '../minutes/service.ts';
import { getDisplayName } from '../recording/view.ts';
import { cancelActiveTasks } from '../task/cancel.ts';
import { discardObjects } from '../upload/discard.ts';

export interface EraseDependencies {
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly now: () => Date;
}

/** A recording to delete permanently, and the revision assigned to its deletion. */
export interface ErasedRecording {
  readonly row: Row<'recordings'>;
  readonly rev: number;
}

/**
 * Permanently deletes recordings with their tasks and paragraphs, and clears the values of their operations. Cancels
 * active tasks, which releases their reserved minutes except for audio that an engine has already processed. A job
 * deletes the audio after the commit. The transaction must already hold the account's lock.
 * @param withActiveTask IDs of the recordings with an active task
 */
export async function eraseRecordings(
  trx: Transaction,
  { queue, minutes, now }: EraseDependencies,
  accountId: string,
  erased: readonly ErasedRecording[],
  withActiveTask: ReadonlySet<string>,
): Promise<void> {
  for (const { row, rev } of erased) {
    if (withActiveTask.has(row.id))
      await cancelActiveTasks(trx, { queue, minutes, now }, row.id, rev);
  }
  const names = erased.map(({ row }) => ({ id: row.id, name: getDisplayName(row) }));
  await sql`
    update transcription_history set recording_id = null, name = v.name
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as v(id uuid, name text)
    where account_id = ${accountId} and recording_id = v.id`.execute(trx);
  const prefixes = erased.map(({ row }) => getRegisterPrefix(row.client_flag));
  // The registers of a recording are contiguous in the index. A prefix ends with a slash, and the next ASCII character
  // is 0.
  await sql`
    update operations set value = null from unnest(${prefixes}::text[]) as erased(prefix)
    where account_id = ${accountId} and register > prefix and register < left(prefix, -1) || '0'`.execute(
    trx,
  );
  await trx
    .deleteFrom('recordings')
    .where('id', '=', sql<string>`any(${erased.map(({ row }) => row.id)}::uuid[])`)
    .execute();
  const keys = erased.flatMap(({ row }) => row.object_key ?? []);
  await discardObjects(trx, queue, keys, now());
}

/**
 * Marks client flags as permanently deleted, whether or not a recording with the flag exists, and deletes the questions
 * asked while the recording was in progress.
 */
export async function insertTombstones(
  trx: Transaction,
  accountId: string,
  tombstones: readonly {
    readonly id?: string;
    readonly client_flag: string;
    readonly rev: number;
  }[],
  now: Date,
): Promise<void> {
  await trx
    .deleteFrom('question_threads')
    .where('account_id', '=', accountId)
    .where(
      'client_flag',
      '=',
      sql<string>`any(${tombstones.map((tombstone) => tombstone.client_flag)}::text[])`,
    )
    .execute();
  await trx
    .insertInto('tombstones')
    .values(
      tombstones.map(({ id = uuidv7(), client_flag, rev }) => ({
        account_id: accountId,
        kind: 'recording' as const,
        id,
        client_flag,
        rev,
        deleted_at: now,
      })),
    )
    .execute();
}
