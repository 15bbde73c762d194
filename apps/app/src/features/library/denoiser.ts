import { writable } from '@linnet/base';
import { AudioStoreError, type AudioWorkshop, type RecordStore } from '@linnet/sync';
import type { DenoiserService, Denoising } from '../../ports/denoiser.ts';
import type { InUse } from './in-use.ts';

/**
 * How long a deleted denoised version can be restored, in milliseconds: slightly longer than the toast is
 * shown.
 */
const UNDO_MS = 10_000;

export type DenoiserOptions = {
  readonly records: Pick<RecordStore, 'detail' | 'update'>;
  readonly workshop: Pick<AudioWorkshop, 'reduceNoise' | 'removeDenoised' | 'list'>;
  readonly inUse: Pick<InUse, 'hold'>;
  readonly onError: (error: unknown) => void;
};

/**
 * Makes and deletes denoised versions. A version is valid once its record names it; remains of a crash are
 * deleted at the next start, or overwritten.
 */
export function createDenoiser({ records, workshop, inUse, onError }: DenoiserOptions): {
  readonly service: DenoiserService;
  /** Deletes files that no record names: incomplete after a crash, or deleted shortly before it. */
  sweep(): Promise<void>;
  stop(): void;
} {
  const state = writable<ReadonlyMap<string, Denoising>>(new Map());
  const running = new Map<string, AbortController>();
  /** Deleted versions whose file still exists. */
  const leaving = new Map<string, { readonly path: string; readonly timer: number }>();

  function report(id: string, denoising: Denoising | null): void {
    const next = new Map(state.get());
    if (denoising) next.set(id, denoising);
    else next.delete(id);
    state.set(next);
  }

  function keep(id: string): { readonly path: string } | null {
    const left = leaving.get(id);
    if (!left) return null;
    clearTimeout(left.timer);
    leaving.delete(id);
    return left;
  }

  async function make(id: string, signal: AbortSignal): Promise<void> {
    const path = await workshop.reduceNoise(
      id,
      (fraction) => report(id, { status: 'working', fraction }),
      signal,
    );
    // The recording was deleted permanently meanwhile, so the file would be orphaned.
    if (await records.detail(id)) await records.update(id, { local_noise_file: path });
    else await workshop.removeDenoised(id);
  }

  return {
    service: {
      state,
      async start(id) {
        if (running.has(id)) return;
        keep(id);
        const control = new AbortController();
        running.set(id, control);
        const release = inUse.hold([id]);
        report(id, { status: 'working', fraction: 0 });
        try {
          await make(id, control.signal);
          report(id, null);
        } catch (error) {
          const known = error instanceof AudioStoreError;
          if (!control.signal.aborted && !known) onError(error);
          const code = known ? error.code : 'io_failed';
          report(id, control.signal.aborted ? null : { status: 'failed', code });
        } finally {
          running.delete(id);
          release();
        }
      },
      cancel: (id) => running.get(id)?.abort(),
      async remove(id) {
        const path = (await records.detail(id))?.local_noise_file;
        if (!path) return;
        await records.update(id, { local_noise_file: '' });
        const drop = () => {
          leaving.delete(id);
          workshop.removeDenoised(id).catch(onError);
        };
        leaving.set(id, { path, timer: Number(setTimeout(drop, UNDO_MS)) });
      },
      async restore(id) {
        const left = keep(id);
        if (left) await records.update(id, { local_noise_file: left.path });
      },
    },
    async sweep() {
      for (const id of (await workshop.list()).denoised) {
        if (running.has(id) || leaving.has(id)) continue;
        if (!(await records.detail(id))?.local_noise_file) await workshop.removeDenoised(id);
      }
    },
    stop() {
      for (const control of running.values()) control.abort();
      for (const { timer } of leaving.values()) clearTimeout(timer);
      leaving.clear();
    },
  };
}
