import type { FetchTrouble } from '@linnet/sync';
import type { RecorderFailure } from './recorder.ts';
import type { Outcome, Store } from './store.ts';

/** A recording being transferred from the recorder. */
export type TransferFile = {
  readonly sessionId: number;
  readonly recordId: string;
  /** ISO-8601 */
  readonly startedAt: string;
  readonly bytes: number;
  /** Bytes already on this phone. */
  readonly here: number;
  readonly state:
    | { readonly status: 'waiting' | 'moving' | 'came' }
    /** Deleted on this phone or the recorder during the transfer. */
    | { readonly status: 'gone' }
    | { readonly status: 'failed'; readonly code: FetchTrouble };
};

/**
 * The end of a transfer.
 *
 * - `done`: all recordings were processed.
 * - `cancelled`: canceled by the user.
 * - `lost`: the recorder's network was lost; Bluetooth continues.
 * - `left`: another recorder became the current one. Untransferred recordings remain on the old one.
 */
export type TransferEnd = 'done' | 'cancelled' | 'lost' | 'left';

/** The state of a transfer of selected recordings. */
export type TransferState =
  | { readonly status: 'idle' }
  /** Waiting for the recorder's network, or for this device to join it. */
  | { readonly status: 'joining'; readonly files: readonly TransferFile[] }
  | {
      readonly status: 'moving';
      readonly way: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
      /** Bytes on this phone, and total bytes of all files that are not deleted. */
      readonly here: number;
      readonly of: number;
      /** Recent bytes per second; null before any arrived. */
      readonly rate: number | null;
    }
  | {
      readonly status: 'ended';
      readonly end: TransferEnd;
      readonly way: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
    };

export type TransferService = {
  readonly state: Store<TransferState>;
  /**
   * Transfers recordings with priority. Over Wi-Fi, the recorder opens its network, the transfer starts once this
   * device has joined, and the link returns to Bluetooth at the end. Fails if the connected recorder has none of
   * the recordings.
   */
  start(
    recordIds: readonly string[],
    way: 'bluetooth' | 'wifi',
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Ends the transfer. The remaining recordings are transferred automatically over Bluetooth. */
  cancel(): Promise<void>;
};
