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
    /** Deleted meanwhile, on this phone or the recorder, so the rest cannot be transferred. */
    | { readonly status: 'gone' }
    | { readonly status: 'failed'; readonly code: FetchTrouble };
};

/**
 * How a transfer ended.
 *
 * - `done`: all recordings were processed.
 * - `cancelled`: canceled by the user.
 * - `lost`: the recorder's network is gone; Bluetooth continues.
 * - `left`: its recorder is no longer the current one. The rest stays on it.
 */
export type TransferEnd = 'done' | 'cancelled' | 'lost' | 'left';

/** The transfer of selected recordings, from the selection to the outcome. */
export type TransferState =
  | { readonly status: 'idle' }
  /** Waiting for the recorder's network, or for this device to join it. */
  | { readonly status: 'joining'; readonly files: readonly TransferFile[] }
  | {
      readonly status: 'moving';
      readonly way: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
      /** Bytes on this phone, out of all that are or can still be transferred. */
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
   * Transfers recordings ahead of all others. Over Wi-Fi, it has the recorder open its network and continues
   * once this device has joined; it returns to Bluetooth when done. Fails if the connected recorder has none
   * of them.
   */
  start(
    recordIds: readonly string[],
    way: 'bluetooth' | 'wifi',
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Ends the transfer. Transferred recordings stay; the rest follows automatically over Bluetooth. */
  cancel(): Promise<void>;
};
