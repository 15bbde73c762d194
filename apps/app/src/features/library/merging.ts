/** Merges recordings on request, and when one continues another. */
import { writable } from '@linnet/base';
import {
  AudioStoreError,
  Continuations,
  type ContinuationsOptions,
  MergeRefused,
  type RecordingMerger,
  StorageFull,
} from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';
import type { AutomaticMerge, MergeFailure, MergingService } from '../../ports/merging.ts';
import type { InUse } from './in-use.ts';

export type MergingOptions = Pick<ContinuationsOptions, 'records' | 'awaitsTranscript'> & {
  readonly merger: RecordingMerger;
  readonly library: Pick<LibraryService, 'editAll'>;
  readonly inUse: Pick<InUse, 'hold'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Called when recordings have been merged or restored. */
  readonly onStored: () => void;
  readonly onError: (error: unknown) => void;
};

export function createMerging(options: MergingOptions): {
  readonly service: MergingService;
  readonly continuations: Pick<Continuations, 'start' | 'check'>;
  /** Cancels the current merge, and stops merging continued recordings. */
  stop(): void;
} {
  const { records, awaitsTranscript, merger, library, inUse, uid, onStored, onError } = options;
  const progress = writable<number | null>(null);
  const latest = writable<AutomaticMerge | null>(null);
  let current: AbortController | null = null;
  let releaseWaiting = () => {};
  const continuations = new Continuations({
    records,
    merger,
    awaitsTranscript,
    onError,
    onWaiting(ids) {
      // Merging needs the audio of both recordings, so hold it even if the storage setting would delete it from this
      // device.
      const release = inUse.hold(ids);
      releaseWaiting();
      releaseWaiting = release;
    },
    onMerged(parts, id) {
      latest.set({ id, parts });
      onStored();
    },
  });

  return {
    service: {
      progress,
      latest,
      markReported: () => latest.set(null),
      async check(ids) {
        const owner = uid();
        if (owner === null) return { code: 'recordings_missing' };
        try {
          await merger.read(owner, ids);
          return null;
        } catch (error) {
          if (error instanceof MergeRefused) return error.obstacle;
          throw error;
        }
      },
      async merge(ids) {
        const owner = uid();
        if (owner === null || current) return { ok: false, failure: { code: 'canceled' } };
        const control = new AbortController();
        current = control;
        const release = inUse.hold(ids);
        progress.set(0);
        try {
          const id = await merger.merge(owner, ids, progress.set, control.signal);
          onStored();
          return { ok: true, data: id };
        } catch (error) {
          if (control.signal.aborted) return { ok: false, failure: { code: 'canceled' } };
          const failure = toFailure(error);
          if (!failure) onError(error);
          return { ok: false, failure: failure ?? { code: 'io_failed' } };
        } finally {
          current = null;
          progress.set(null);
          release();
        }
      },
      cancel: () => current?.abort(),
      async undo(id, parts) {
        await library.editAll([
          ...parts.map((recording) => ({ type: 'recording.recover', recording }) as const),
          { type: 'recording.bin', recording: id },
        ]);
        onStored();
      },
    },
    continuations,
    stop() {
      current?.abort();
      continuations.stop();
      latest.set(null);
    },
  };
}

/** Returns why recordings weren't merged, or null for an unexpected error. */
function toFailure(error: unknown): MergeFailure | null {
  if (error instanceof MergeRefused) return error.obstacle;
  if (error instanceof StorageFull) return { code: 'storage_full' };
  if (!(error instanceof AudioStoreError)) return null;
  const { code } = error;
  // Only imports fail with these codes, so they are unexpected here.
  return code === 'no_sound' || code === 'too_large' ? null : { code };
}
