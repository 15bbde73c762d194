import type { RecordDetail } from '@linnet/sync';
import type { Moving } from '../../services.ts';

/** The recording on screen. */
export type OpenRecord = RecordDetail & Moving;
