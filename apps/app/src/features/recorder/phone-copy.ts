import type { RecordWork } from '@linnet/sync';
import type { RecorderSessionRow } from '../../ports/recorder.ts';

/** The state of a phone copy while no transfer is in progress. */
export type RestingCopy = Exclude<RecorderSessionRow['onPhone']['status'], 'moving'>;

/**
 * Returns the state of a session's copy on the phone. The criteria must match those that `RecorderSync` uses to select
 * the sessions to transfer.
 * @param work the sync state of the record; undefined if the session is not in the database yet
 * @param isDeleted whether the user has permanently deleted the recording
 */
export function restingCopy(
  work: Pick<RecordWork, 'copies' | 'trouble'> | undefined,
  isDeleted: boolean,
): RestingCopy {
  if (isDeleted) return 'deleted';
  const phone = work?.copies.phone.status;
  if (phone === 'verified') return 'whole';
  const isStopped = work?.trouble?.step === 'fetch';
  if (work?.copies.cloud.status === 'verified' && (phone === 'absent' || isStopped)) return 'cloud';
  return isStopped ? 'stopped' : 'waiting';
}
