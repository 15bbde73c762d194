import { limits } from '@linnet/contract/limits';
import { storageSetting, taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { discardObjects } from '../upload/discard.ts';
import { latestTasks } from './service.ts';

/** Storage settings of a recording and the state of its copies. */
export interface Copies {
  /** Whether recordings are stored on the server. */
  readonly cloud: boolean;
  /** The revision since which phones have stored recordings; null if they do not. */
  readonly phoneSince: number | null;
  readonly recording: Pick<Row<'recordings'>, 'object_key' | 'client_sha256' | 'stored_rev'>;
  /** Status of its latest task. */
  readonly task: Row<'tasks'>['status'] | null;
}

/**
 * Whether the server's copy of the audio may be deleted: cloud storage is off, so the audio was only needed for
 * transcription, which is complete, and a phone holds the same bytes. That is certain if a phone uploaded them with a matching hash and phones have stored
 * their copies ever since.
 */
export function mayLeaveServer({ cloud, phoneSince, recording, task }: Copies): boolean {
  const { object_key: key, client_sha256: sha256, stored_rev: storedRev } = recording;
  const verifiedOnPhone =
    sha256 !== null && storedRev !== null && phoneSince !== null && storedRev > phoneSince;
  return !cloud && key !== null && task === taskStatus.transcribed && verifiedOnPhone;
}

/**
 * Deletes audio that no longer has to be on the server, of one recording or all of the account's, within a transaction
 * that has locked the account. During the grace period of the storage setting nothing is deleted; the job "free-audio"
 * runs after it. A job deletes the objects after the commit.
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
    // The job also covers audio of tasks that end in the meantime.
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
