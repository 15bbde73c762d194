import type { RecordWork } from '@linnet/sync';
import type { RecorderSessionRow } from '../../ports/recorder.ts';

/** The state of a phone copy without a transfer in progress. */
export type RestingCopy = Exclude<RecorderSessionRow['onPhone']['status'], 'moving'>;

/**
 * The state of a session's copy on the phone, by the criteria with which `RecorderSync` selects sessions.
 * @param work sync state in the database; undefined if unknown
 * @param isDeleted whether the user deleted it permanently
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
