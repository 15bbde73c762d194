/** The service of an Omi: a recorder of another manufacturer. Implemented in `features/omi`. */
import type { OmiInfo, OmiPower } from '@linnet/omi';
import type { ForeignService, ForeignState } from './foreign.ts';
import type { Store } from './store.ts';

export type OmiState = ForeignState<{
  readonly info: OmiInfo;
  readonly power: OmiPower;
  /** The stored recordings that are being transferred, in percent, or null if there are none. */
  readonly transfer: number | null;
}>;

export type OmiService = ForeignService<OmiState> & {
  /** Milliseconds of the recording in progress that were lost on the air, and are silent. */
  readonly lostMs: Store<number>;
  /**
   * Whether stored recordings may be deleted from this Omi once the storage setting allows it. Initially false, because
   * it may be another person's.
   */
  readonly mayDelete: Store<boolean>;
  setMayDelete(isAllowed: boolean): void;
};
