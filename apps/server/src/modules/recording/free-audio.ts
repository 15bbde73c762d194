import { limits } from '@linnet/contract/limits';
import { storageSetting, taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { discardObjects } from '../upload/discard.ts';
import { latestTasks } from './service.ts';

/** What the server knows of where a recording has to lie, and where it does. */
export interface Copies {
  /** Whether recordings are kept on the server. */
  readonly cloud: boolean;
  /** The revision since which phones have been keeping them; null when they do not. */
  readonly phoneSince: number | null;
  readonly recording: Pick<Row<'recordings'>, 'object_key' | 'client_sha256' | 'stored_rev'>;
  /** Of its latest task. */
  readonly task: Row<'tasks'>['status'] | null;
}

/**
 * Whether the server's copy of the audio may go: it came only to be transcribed, that is done, and a
 * phone holds the same bytes. The server knows so when a phone sent them with a hash that agreed, and
 * phones have been keeping their copies ever since.
 */
export function mayLeaveServer({ cloud, phoneSince, recording, task }: Copies): boolean {
  const { object_key: key, client_sha256: sha256, stored_rev: storedRev } = recording;
  const verifiedOnPhone =
    sha256 !== null && storedRev !== null && phoneSince !== null && storedRev > phoneSince;
  return !cloud && key !== null && task === taskStatus.transcribed && verifiedOnPhone;
}

/**
 * Frees the audio that may leave the server, of one recording or of all the account's, within a
 * transaction that has locked the account. Nothing goes before the grace of the storage setting is over, when
 * the job "free-audio" does it. The objects go after the commit, by a job.
 */
export async function freeAudio(
  trx: Transaction,
  queue: Queue,
  accountId: string,
  { rev, now, recordingId }: { rev: number; now: Date; recordingId?: string },
): Promise<void> {
  const settings = await trx
    .selectFrom('settings')
    .select(['config_key', 'config_value', 'since', 'changed_at'])
    .where('account_id', '=', accountId)
    .where('group_name', '=', storageSetting.group)
    .execute();
  const of = (key: string) => settings.find(({ config_key: name }) => name === key);
  const [cloud, phone] = [of(storageSetting.keys.cloud), of(storageSetting.keys.phone)];
  if (cloud?.config_value !== '0') return;
  const due = new Date(cloud.changed_at.getTime() + limits.deletionGraceMs);
  if (now < due) {
    // What a task leaves meanwhile goes with the rest.
    if (recordingId === undefined) await queue.enqueue(trx, 'free-audio', { accountId }, due);
    return;
  }
  const keptSince = phone === undefined ? 0 : phone.config_value === '1' ? phone.since : null;
  const freedAt = of(storageSetting.freedKey)?.since ?? 0;
  const phoneSince = keptSince === null ? null : Math.max(keptSince, freedAt);
  const recordings = await trx
    .selectFrom('recordings')
    .select(['id', 'object_key', 'client_sha256', 'stored_rev'])
    .where('account_id', '=', accountId)
    .where('object_key', 'is not', null)
    .where('lost_at', 'is', null)
    .$if(recordingId !== undefined, (query) => query.where('id', '=', recordingId ?? ''))
    .execute();
  const tasks = await latestTasks(
    trx,
    recordings.map(({ id }) => id),
  );
  const free = recordings.filter((recording) => {
    const task = tasks.get(recording.id)?.status ?? null;
    return mayLeaveServer({ cloud: false, phoneSince, recording, task });
  });
  if (free.length === 0) return;
  await trx
    .updateTable('recordings')
    .set({ object_key: null, rev, updated_at: now })
    .where('id', '=', sql<string>`any(${free.map(({ id }) => id)}::uuid[])`)
    .execute();
  const keys = free.flatMap(({ object_key: key }) => key ?? []);
  await discardObjects(trx, queue, keys, now);
}
