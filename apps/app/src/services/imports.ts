import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A file on its way to becoming a recording; one that became one is gone from here. `fraction` 0–1. */
export type Import = {
  readonly id: string;
  /** Of the file. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

export type ImportService = {
  /** In the order in which they were added. */
  readonly state: Store<readonly Import[]>;
  add(files: readonly File[]): void;
  /** Calls it off, or puts a failed one out of sight. */
  cancel(id: string): void;
};
