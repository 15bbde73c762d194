import type { RecordDetail } from '@linnet/sync';
import type { Moving } from '../../ports/library.ts';

/** The recording on screen. */
export type OpenRecord = RecordDetail & Moving;
