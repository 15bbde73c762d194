import type { RecordWork } from '@linnet/sync';
import type { RecorderSessionRow } from '../../ports/recorder.ts';

/** The status of the phone's copy while no transfer is in progress. */
export type PhoneCopyStatus = Exclude<RecorderSessionRow['onPhone']['status'], 'transferring'>;

/**
 * Returns the status of the phone's copy of a session. The criteria must match those that `RecorderSync` uses to select
 * the sessions to transfer.
 * @param work the record's sync state; undefined if the session isn't in the database yet
 * @param isDeleted whether the user has permanently deleted the recording
 */
export function phoneCopyStatus(
  work: Pick<RecordWork, 'copies' | 'problem'> | undefined,
  isDeleted: boolean,
): PhoneCopyStatus {
  if (isDeleted) return 'deleted';
  const phone = work?.copies.phone.status;
  if (phone === 'verified') return 'complete';
  const isStopped = work?.problem?.step === 'fetch';
  if (work?.copies.cloud.status === 'verified' && (phone === 'absent' || isStopped)) return 'cloud';
  return isStopped ? 'stopped' : 'waiting';
}
