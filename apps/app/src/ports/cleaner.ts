import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A cleaner version that is being made, or could not be. `fraction` 0–1. */
export type Cleaning =
  | { readonly status: 'working'; readonly fraction: number }
  | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };

export type CleanerService = {
  /** By recording; one that is neither being made nor failed is absent. */
  readonly state: Store<ReadonlyMap<string, Cleaning>>;
  /** Makes the cleaner version of a recording whose sound is on this phone; resolves when that ended. */
  start(id: string): Promise<void>;
  cancel(id: string): void;
  /** Deletes it; for a few seconds `restore` is its undo. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
};
