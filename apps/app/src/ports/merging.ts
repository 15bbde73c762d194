import type { AudioStoreErrorCode, MergeObstacle } from '@linnet/sync';
import type { Outcome, Store } from './store.ts';

/** Why recordings weren't merged. */
export type MergeFailure =
  | MergeObstacle
  | { readonly code: Exclude<AudioStoreErrorCode, 'no_sound' | 'too_large'> | 'canceled' };

export type MergingService = {
  /** The progress of the current merge from 0 to 1, or null if no merge is running. */
  readonly progress: Store<number | null>;
  /** Returns why recordings can't be merged, or null if they can. */
  check(ids: readonly string[]): Promise<MergeObstacle | null>;
  /**
   * Merges recordings into a new recording, in chronological order, and moves the originals to the recycle bin.
   * @returns the ID of the new recording
   */
  merge(ids: readonly string[]): Promise<Outcome<string, MergeFailure>>;
  cancel(): void;
  /** Restores the merged recordings, and moves the new one to the recycle bin. */
  undo(id: string, parts: readonly string[]): Promise<void>;
  /** The latest automatic merge of a recording with its continuation, until `markReported` is called. */
  readonly latest: Store<AutomaticMerge | null>;
  markReported(): void;
};

export type AutomaticMerge = { readonly id: string; readonly parts: readonly string[] };
