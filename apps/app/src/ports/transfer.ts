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
  /** Bytes of it that are on this phone. */
  readonly here: number;
  readonly state:
    | { readonly status: 'waiting' | 'moving' | 'came' }
    /** It was deleted meanwhile, here or on the recorder: nothing more of it comes. */
    | { readonly status: 'gone' }
    | { readonly status: 'failed'; readonly code: FetchTrouble };
};

/**
 * How a transfer ended.
 *
 * - `done`: everything had its turn.
 * - `cancelled`: its owner ended it.
 * - `lost`: the recorder's network is gone; Bluetooth goes on.
 * - `left`: its recorder is not the one that is used here any more. What has not come stays there.
 */
export type TransferEnd = 'done' | 'cancelled' | 'lost' | 'left';

/** Bringing chosen recordings over at once, from the choice to what came of it. */
export type TransferState =
  | { readonly status: 'idle' }
  /** The recorder was asked for its network, or has it and this device has not joined yet. */
  | { readonly status: 'joining'; readonly files: readonly TransferFile[] }
  | {
      readonly status: 'moving';
      readonly way: 'bluetooth' | 'wifi';
      readonly files: readonly TransferFile[];
      /** Bytes that are here, of all that are here or can still come. */
      readonly here: number;
      readonly of: number;
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
   * Brings recordings over before any others. Over WiFi it has the recorder raise its network, and goes on
   * once this device has joined; back to Bluetooth when they are here. Fails where none of them lies on the
   * connected recorder.
   */
  start(
    recordIds: readonly string[],
    way: 'bluetooth' | 'wifi',
  ): Promise<Outcome<null, RecorderFailure>>;
  /** Ends it: what came stays, and the rest comes by itself, in its turn and over Bluetooth. */
  cancel(): Promise<void>;
};
