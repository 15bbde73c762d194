import type { RecordWork } from '@linnet/sync';
import type { RecorderSessionRow } from '../../ports/recorder.ts';

/** How a session stands while nothing of it moves. */
export type RestingCopy = Exclude<RecorderSessionRow['onPhone']['status'], 'moving'>;

/**
 * What the phone has of a session that lies on the recorder, and whether the rest comes by itself: the same
 * distinctions by which `RecorderSync` chooses what it reads.
 * @param work what the database says of it; undefined where it does not know it yet
 * @param isDeleted whether its owner deleted it for good
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
