import { limits } from '@linnet/contract/limits';
import { storageSetting, taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { excludesFailedRanges } from '../task/range.ts';
import { discardObjects } from '../upload/discard.ts';

/** An account's storage settings and the state of one recording's copies. */
export interface CopyState {
  /** Whether cloud storage is on. */
  readonly cloud: boolean;
  /** The revision at which phone storage was last turned on, or null if it is off. */
  readonly phoneSince: number | null;
  readonly recording: Pick<Row<'recordings'>, 'object_key' | 'client_sha256' | 'stored_rev'>;
  /**
   * Status of the recording's latest task, or null if it has none. Failed transcriptions of a range don't count,
   * because they leave the transcript unchanged.
   */
  readonly task: Row<'tasks'>['status'] | null;
}

/**
 * Returns whether the server's copy of the audio may be deleted: cloud storage is off, the transcription that needed
 * the audio is complete, and a phone has an identical copy. A phone is assumed to have a copy if it uploaded the audio
 * with a matching hash and phone storage has been on ever since.
 */
export function canDeleteServerAudio({ cloud, phoneSince, recording, task }: CopyState): boolean {
  const { object_key: key, client_sha256: sha256, stored_rev: storedRev } = recording;
  const isVerifiedOnPhone =
    sha256 !== null && storedRev !== null && phoneSince !== null && storedRev > phoneSince;
  return !cloud && key !== null && task === taskStatus.transcribed && isVerifiedOnPhone;
}

/**
 * Deletes audio that the server no longer needs, for one recording or for all of the account's recordings. A job
 * deletes the objects after the commit. Nothing is deleted during the grace period after a change to the storage
 * setting: the change schedules the "free-audio" job for the end of that period. The transaction must already hold the
 * account's lock.
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
  const findSetting = (key: string) => settings.find(({ config_key: name }) => name === key);
  const [cloud, phone] = [
    findSetting(storageSetting.keys.cloud),
    findSetting(storageSetting.keys.phone),
  ];
  if (cloud?.config_value !== '0') return;
  const graceEnd = new Date(cloud.changed_at.getTime() + limits.deletionGraceMs);
  if (now < graceEnd) {
    // The job also deletes the audio of tasks that finish before the job runs.
    if (recordingId === undefined) await queue.enqueue(trx, 'free-audio', { accountId }, graceEnd);
    return;
  }
  const isStoredOnPhones = phone === undefined || phone.config_value === '1';
  // The user may have deleted the phones' copies of everything stored before this revision.
  const freedSince = findSetting(storageSetting.freedKey)?.since ?? 0;
  const phoneSince = isStoredOnPhones ? Math.max(phone?.since ?? 0, freedSince) : null;
  const recordings = await trx
    .selectFrom('recordings')
    .select(['id', 'object_key', 'client_sha256', 'stored_rev'])
    .where('account_id', '=', accountId)
    .where('object_key', 'is not', null)
    .where('lost_at', 'is', null)
    .$if(recordingId !== undefined, (query) => query.where('id', '=', recordingId ?? ''))
    .execute();
  const statuses = await latestStatuses(
    trx,
    recordings.map(({ id }) => id),
  );
  const unneeded = recordings.filter((recording) => {
    const task = statuses.get(recording.id) ?? null;
    return canDeleteServerAudio({ cloud: false, phoneSince, recording, task });
  });
  if (unneeded.length === 0) return;
  await trx
    .updateTable('recordings')
    .set({ object_key: null, rev, updated_at: now })
    .where('id', '=', sql<string>`any(${unneeded.map(({ id }) => id)}::uuid[])`)
    .execute();
  const keys = unneeded.flatMap(({ object_key: key }) => key ?? []);
  await discardObjects(trx, queue, keys, now);
}

/** Returns the status for {@link CopyState} of each recording that has a task, keyed by recording ID. */
async function latestStatuses(
  trx: Transaction,
  recordingIds: readonly string[],
): Promise<ReadonlyMap<string, Row<'tasks'>['status']>> {
  const rows = await trx
    .selectFrom('tasks')
    .distinctOn('recording_id')
    .select(['recording_id', 'status'])
    .where('recording_id', '=', sql<string>`any(${recordingIds}::uuid[])`)
    .where(excludesFailedRanges)
    .orderBy('recording_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ recording_id: id, status }) => [id, status]));
}
