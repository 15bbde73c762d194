import type { RecordDetail } from '@linnet/sync';
import type { Moving } from '../../ports/library.ts';

/** The open recording. */
export type OpenRecord = RecordDetail & Moving;
