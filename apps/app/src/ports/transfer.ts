import type { FetchProblem } from '@linnet/sync';
import type { RecorderFailure } from './recorder.ts';
import type { Outcome, Store } from './store.ts';

/** A recording being transferred from the recorder. */
export type TransferFile = {
  readonly sessionId: number;
  readonly recordId: string;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly bytes: number;
  /** Number of bytes already on this phone. */
  readonly receivedBytes: number;
  readonly state: /** `received`: the file has been transferred completely. */
    | { readonly status: 'waiting' | 'transferring' | 'received' }
    /** The recording was deleted on this phone or the recorder during the transfer. */
    | { readonly status: 'deleted' }
    | { readonly status: 'failed'; readonly code: FetchProblem };
};

/**
 * Why a transfer ended.
 *
 * - `done`: all recordings were processed
 * - `canceled`: the user stopped the transfer
 * - `network_lost`: the recorder's network was lost; the remaining recordings are transferred over Bluetooth
 * - `recorder_changed`: another recorder became the current one; the remaining recordings stay on the previous one
 */
export type TransferEnd = 'done' | 'canceled' | 'network_lost' | 'recorder_changed';

/** The state of a transfer of selected recordings. */
export type TransferState =
  | { readonly status: 'idle' }
  /** Waiting for the recorder's network, or for this device to join it. */
  | { readonly status: 'joining'; readonly files: readonly TransferFile[] }
  | {
      readonly status: 'transferring';
      readonly medium: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
      /** Bytes received across all files, except failed and deleted ones. */
      readonly receivedBytes: number;
      /** Total bytes across all files, except failed and deleted ones. */
      readonly totalBytes: number;
      /** The recent rate in bytes per second; null until enough data has arrived to measure it. */
      readonly rate: number | null;
    }
  | {
      readonly status: 'ended';
      readonly end: TransferEnd;
      readonly medium: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
    };

export type TransferService = {
  readonly state: Store<TransferState>;
  /**
   * Transfers recordings with priority. Over Wi-Fi, the recorder opens its network, the transfer starts once this
   * device has joined, and the link returns to Bluetooth afterwards. Fails if the connected recorder has none of the
   * recordings.
   */
  start(
    recordIds: readonly string[],
    medium: 'bluetooth' | 'wifi',
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Ends the transfer. The remaining recordings are transferred automatically over Bluetooth. */
  cancel(): Promise<void>;
};
