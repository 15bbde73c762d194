import type { RecordDetail } from '@linnet/sync';
import type { WithMovement } from '../../ports/library.ts';

export type OpenRecord = RecordDetail & WithMovement;

/** True if the recording has a transcript, even if this device hasn't received it yet. */
export const hasTranscript = ({ transcript, content }: OpenRecord): boolean =>
  transcript === 'arriving' || content.length > 0;
