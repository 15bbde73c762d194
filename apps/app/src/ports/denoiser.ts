import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A denoised version that is being made or has failed. `fraction` 0–1. */
export type Denoising =
  | { readonly status: 'working'; readonly fraction: number }
  | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };

export type DenoiserService = {
  /** By recording; absent if it is neither in progress nor failed. */
  readonly state: Store<ReadonlyMap<string, Denoising>>;
  /** Makes the denoised version of a recording whose audio is on this phone; resolves when finished. */
  start(id: string): Promise<void>;
  cancel(id: string): void;
  /** Deletes it; `restore` undoes that for a few seconds. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
};
