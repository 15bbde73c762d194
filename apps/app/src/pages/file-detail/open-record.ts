import type { RecordDetail } from '@linnet/sync';
import type { Moving } from '../../ports/library.ts';

export type OpenRecord = RecordDetail & Moving;
