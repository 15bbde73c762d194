import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A running or failed denoising. `fraction` is 0 to 1. */
export type Denoising =
  | { readonly status: 'working'; readonly fraction: number }
  | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };

export type DenoiserService = {
  /** The running and failed denoisings, by recording id. */
  readonly state: Store<ReadonlyMap<string, Denoising>>;
  /** Denoises a recording whose audio is on this phone. Resolves when the denoising has finished or failed. */
  start(id: string): Promise<void>;
  cancel(id: string): void;
  /** Deletes the denoised version. `restore` undoes the deletion within a few seconds. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
};
