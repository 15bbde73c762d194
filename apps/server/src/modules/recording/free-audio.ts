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
  /** The revision at which phone storage was last turned on; null if it is off. */
  readonly phoneSince: number | null;
  readonly recording: Pick<Row<'recordings'>, 'object_key' | 'client_sha256' | 'stored_rev'>;
  /** Status of its latest task. */
  readonly task: Row<'tasks'>['status'] | null;
}

/**
 * Whether the server's copy of the audio may be deleted: cloud storage is off, the transcription that needed the audio
 * is complete, and a phone holds the same bytes. A phone is known to hold them if it uploaded them with a matching hash,
 * and phone storage has been on since then.
 */
export function mayLeaveServer({ cloud, phoneSince, recording, task }: Copies): boolean {
  const { object_key: key, client_sha256: sha256, stored_rev: storedRev } = recording;
  const verifiedOnPhone =
    sha256 !== null && storedRev !== null && phoneSince !== null && storedRev > phoneSince;
  return !cloud && key !== null && task === taskStatus.transcribed && verifiedOnPhone;
}

/**
 * Deletes server audio that is no longer needed, of one recording or of the whole account. Must run in a transaction that
 * has locked the account. During the grace period of the storage setting, nothing is deleted, and the job "free-audio" is
 * scheduled for its end. A job deletes the objects after the commit.
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
    // The job also covers tasks that end before it runs.
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
