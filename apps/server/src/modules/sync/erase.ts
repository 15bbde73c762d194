import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Minutes } from '../minutes/service.ts';
import { shownNameOf } from '../recording/view.ts';
import { cancelTasksOf } from '../task/cancel.ts';
import { discardObjects } from '../upload/discard.ts';
import { registersOf } from './operation.ts';

export interface EraseParts {
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly now: () => Date;
}

/**
 * Deletes a recording for good, within a transaction that has locked the account. Tasks and paragraphs
 * go with it, reserved minutes come back except for what an engine had been through, what was written to it is forgotten; a tombstone stays. The
 * audio goes after the commit, by a job.
 */
export async function eraseRecording(
  trx: Transaction,
  { queue, minutes, now }: EraseParts,
  row: Row<'recordings'>,
  rev: number,
): Promise<void> {
  await cancelTasksOf(trx, { queue, minutes, now }, row.id, rev);
  await trx
    .updateTable('transcription_history')
    .set({ recording_id: null, name: shownNameOf(row) })
    .where('account_id', '=', row.account_id)
    .where('recording_id', '=', row.id)
    .execute();
  await trx
    .updateTable('operations')
    .set({ value: null })
    .where('account_id', '=', row.account_id)
    .where(sql<boolean>`starts_with(register, ${registersOf(row.client_flag)})`)
    .execute();
  await trx.deleteFrom('recordings').where('id', '=', row.id).execute();
  await discardObjects(trx, queue, row.object_key === null ? [] : [row.object_key], now());
  await leaveTombstone(trx, row.account_id, row, rev, now());
}

/** Marks an identity as deleted, be there a recording of it yet or not. */
export async function leaveTombstone(
  trx: Transaction,
  accountId: string,
  { id = uuidv7(), client_flag }: { readonly id?: string; readonly client_flag: string },
  rev: number,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('tombstones')
    .values({ account_id: accountId, kind: 'recording', id, client_flag, rev, deleted_at: now })
    .execute();
}
