/** The service for an Omi, a third-party recorder. Implemented in `features/omi`. */
import type { OmiInfo, OmiPower } from '@linnet/omi';
import type { ForeignService, ForeignState } from './foreign.ts';
import type { Store } from './store.ts';

export type OmiState = ForeignState<{
  readonly info: OmiInfo;
  readonly power: OmiPower;
  /** The progress of transferring stored recordings in percent, or null if none are being transferred. */
  readonly transfer: number | null;
}>;

export type OmiService = ForeignService<OmiState> & {
  /** How much of the recording in progress was lost in radio transmission, in milliseconds. Lost parts are silent. */
  readonly lostMs: Store<number>;
  /**
   * Whether stored recordings may be deleted from this Omi once the storage setting allows it. Initially false, because
   * the Omi may belong to someone else.
   */
  readonly mayDelete: Store<boolean>;
  setMayDelete(isAllowed: boolean): void;
};
