import { writable } from '@linnet/base';
import { type AudioProcessor, AudioStoreError, type RecordStore } from '@linnet/sync';
import type { DenoiserService, DenoisingState } from '../../ports/denoiser.ts';
import type { InUse } from './in-use.ts';

/** How long a deletion can be undone, in milliseconds. Slightly longer than the toast is shown. */
const UNDO_MS = 10_000;

export type DenoiserOptions = {
  readonly records: Pick<RecordStore, 'detail' | 'update'>;
  readonly audioProcessor: Pick<AudioProcessor, 'reduceNoise' | 'removeDenoised' | 'list'>;
  readonly inUse: Pick<InUse, 'hold'>;
  readonly onError: (error: unknown) => void;
};

/**
 * Creates the service that denoises recordings. A denoised version is used only after its record refers to the file,
 * so a crash can at most leave an unused file, which `sweep` deletes.
 */
export function createDenoiser({ records, audioProcessor, inUse, onError }: DenoiserOptions): {
  readonly service: DenoiserService;
  /** Deletes files that no record refers to. */
  sweep(): Promise<void>;
  stop(): void;
} {
  const state = writable<ReadonlyMap<string, DenoisingState>>(new Map());
  const runningJobs = new Map<string, AbortController>();
  /** Deleted versions whose files still exist, in case the deletion is undone. */
  const pendingRemovals = new Map<string, { readonly path: string; readonly timer: number }>();

  function setState(id: string, denoising: DenoisingState | null): void {
    const next = new Map(state.get());
    if (denoising) next.set(id, denoising);
    else next.delete(id);
    state.set(next);
  }

  function cancelRemoval(id: string): { readonly path: string } | null {
    const removal = pendingRemovals.get(id);
    if (!removal) return null;
    clearTimeout(removal.timer);
    pendingRemovals.delete(id);
    return removal;
  }

  async function createVersion(id: string, signal: AbortSignal): Promise<void> {
    const path = await audioProcessor.reduceNoise(
      id,
      (fraction) => setState(id, { status: 'working', fraction }),
      signal,
    );
    // The recording may have been permanently deleted in the meantime.
    if (await records.detail(id)) await records.update(id, { local_noise_file: path });
    else await audioProcessor.removeDenoised(id);
  }

  return {
    service: {
      state,
      async start(id) {
        if (runningJobs.has(id)) return;
        cancelRemoval(id);
        const control = new AbortController();
        runningJobs.set(id, control);
        const release = inUse.hold([id]);
        setState(id, { status: 'working', fraction: 0 });
        try {
          await createVersion(id, control.signal);
          setState(id, null);
        } catch (error) {
          const isExpected = error instanceof AudioStoreError;
          if (!control.signal.aborted && !isExpected) onError(error);
          const code = isExpected ? error.code : 'io_failed';
          setState(id, control.signal.aborted ? null : { status: 'failed', code });
        } finally {
          runningJobs.delete(id);
          release();
        }
      },
      cancel: (id) => runningJobs.get(id)?.abort(),
      async remove(id) {
        const path = (await records.detail(id))?.local_noise_file;
        if (!path) return;
        await records.update(id, { local_noise_file: '' });
        const deleteFile = () => {
          pendingRemovals.delete(id);
          audioProcessor.removeDenoised(id).catch(onError);
        };
        pendingRemovals.set(id, { path, timer: Number(setTimeout(deleteFile, UNDO_MS)) });
      },
      async restore(id) {
        const removal = cancelRemoval(id);
        if (removal) await records.update(id, { local_noise_file: removal.path });
      },
    },
    async sweep() {
      for (const id of (await audioProcessor.list()).denoised) {
        if (runningJobs.has(id) || pendingRemovals.has(id)) continue;
        if (!(await records.detail(id))?.local_noise_file) await audioProcessor.removeDenoised(id);
      }
    },
    stop() {
      for (const control of runningJobs.values()) control.abort();
      for (const { timer } of pendingRemovals.values()) clearTimeout(timer);
      pendingRemovals.clear();
    },
  };
}
