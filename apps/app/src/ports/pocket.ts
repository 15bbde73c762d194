/** The service for a Pocket, a third-party recorder. Implemented in `features/pocket`. */
import type { PocketErrorCode, PocketStatus } from '@linnet/pocket';
import type { AudioStoreErrorCode } from '@linnet/sync';
import type { ForeignService, ForeignState } from './foreign.ts';
import type { RecorderFailure } from './recorder.ts';
import type { Outcome } from './store.ts';

/** The recording that is being transferred. */
export type PocketTransfer = {
  /** The recording's number in this transfer, from 1 to `total`. */
  readonly number: number;
  readonly total: number;
  /** Number of bytes received. */
  readonly bytes: number;
  /** Size of the file in bytes, or 0 until it's known. */
  readonly size: number;
  /** Estimated time until the file has been received, in seconds, or null if unknown. */
  readonly secondsLeft: number | null;
};

/** A recording that couldn't be transferred. */
export type FailedPocketFile = {
  /** `YYYYMMDDHHmmss`. */
  readonly time: string;
  readonly code: PocketErrorCode | AudioStoreErrorCode;
};

export type PocketState =
  | ForeignState<{
      /** Empty if the recorder doesn't report it. */
      readonly firmware: string;
      readonly facts: PocketStatus;
      /** Null if nothing is being transferred. */
      readonly transfer: PocketTransfer | null;
      readonly failed: readonly FailedPocketFile[];
      /** Whether the list of recordings couldn't be read. */
      readonly isListMissing: boolean;
    }>
  /** The user must enter the session key. `refusal`: how the recorder refused the last one, or null. */
  | {
      readonly status: 'key_needed';
      readonly name: string;
      readonly refusal: 'key_refused' | 'key_hang_up' | null;
    }
  /**
   * The recorder hangs up in response to a key that it accepted before. The key is kept, and tried again only when the
   * user connects.
   */
  | { readonly status: 'key_rejected'; readonly name: string; readonly code: 'key_hang_up' };

export type PocketService = ForeignService<PocketState> & {
  /** Stores the session key, and connects. */
  enterKey(key: string): Promise<Outcome<null, RecorderFailure>>;
  /** Skips the recording that is being transferred, until the app is restarted. */
  skip(): void;
};
