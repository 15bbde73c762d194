import type { FetchTrouble } from '@linnet/sync';
import type { RecorderFailure } from './recorder.ts';
import type { Outcome, Store } from './store.ts';

/** A recording that is brought from the recorder. */
export type TransferFile = {
  readonly sessionId: number;
  readonly recordId: string;
  /** ISO-8601 */
  readonly startedAt: string;
  readonly bytes: number;
  readonly state:
    | { readonly status: 'waiting' }
    /** 0–1 */
    | { readonly status: 'moving'; readonly fraction: number }
    | { readonly status: 'came' }
    | { readonly status: 'failed'; readonly code: FetchTrouble };
};

/** How a transfer ended: everything had its turn, its owner ended it, or the way to the recorder broke. */
export type TransferEnd = 'done' | 'cancelled' | 'lost';

/** Bringing chosen recordings over at once, from the choice to what came of it. */
export type TransferState =
  | { readonly status: 'idle' }
  /** The recorder was asked for its network, or has it and this device has not joined yet. */
  | { readonly status: 'joining'; readonly files: readonly TransferFile[] }
  | {
      readonly status: 'moving';
      readonly way: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
      /** Bytes a second of the last moments; null before any came. */
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
   * Brings sessions over before any others. Over WiFi it has the recorder raise its network, and goes on
   * once this device has joined; back to Bluetooth when they are here.
   */
  start(
    sessionIds: readonly number[],
    way: 'bluetooth' | 'wifi',
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Ends it: what came stays, and the rest comes by itself, over Bluetooth. */
  cancel(): Promise<void>;
};
