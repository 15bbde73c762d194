import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A denoising operation that is running or has failed. `fraction` is 0 to 1. */
export type DenoisingState =
  | { readonly status: 'working'; readonly fraction: number }
  | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };

export type DenoiserService = {
  /** Running and failed denoising operations, keyed by recording ID. */
  readonly state: Store<ReadonlyMap<string, DenoisingState>>;
  /** Denoises a recording whose audio is on this phone. Resolves when denoising has finished or failed. */
  start(id: string): Promise<void>;
  cancel(id: string): void;
  /** Deletes the denoised version. `restore` undoes this within a few seconds. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
};
