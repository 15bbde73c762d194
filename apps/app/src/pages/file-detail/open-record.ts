import type { RecordDetail } from '@linnet/sync';
import type { WithMovement } from '../../ports/library.ts';

export type OpenRecord = RecordDetail & WithMovement;
