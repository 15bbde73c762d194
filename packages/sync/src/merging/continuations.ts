/**
 * Merges recordings that continue an earlier one with it, once both are complete and, if they are transcribed at all, both
 * have a transcript. Which recordings continue others is stored in the database, so a restart loses nothing.
 */
import { Coalesced } from '@linnet/base';
import type { QueuedRecord, RecordStore } from '../ports.ts';
import { mergeObstacle, type RecordingMerger } from './recording-merger.ts';

export type ContinuationsOptions = {
  readonly records: Pick<RecordStore, 'continuations' | 'detail' | 'queue' | 'update'>;
  readonly merger: Pick<RecordingMerger, 'merge'>;
  /** True if a recording is being transcribed, or will be without the user requesting it. */
  readonly awaitsTranscript: (record: QueuedRecord) => boolean;
  /** Called with the ids of the parts and of the new recording. */
  readonly onMerged: (parts: readonly string[], id: string) => void;
  readonly onError: (error: unknown) => void;
};

export class Continuations {
  readonly #options: ContinuationsOptions;
  /** Recordings that couldn't be merged. They are tried again after a restart. */
  readonly #failed = new Set<string>();
  #stop = new AbortController();
  #uid: string | null = null;
  readonly #merges = new Coalesced(() => this.#mergeReady());

  constructor(options: ContinuationsOptions) {
    this.#options = options;
  }

  /** Starts merging the recordings of an account. */
  start(uid: string): void {
    this.#uid = uid;
    this.#stop = new AbortController();
    this.check();
  }

  /** Stops before the account signs out. */
  stop(): void {
    this.#uid = null;
    this.#stop.abort();
  }

  /** Looks for recordings that can be merged now. Call it when recordings have changed. */
  readonly check = (): void => {
    if (this.#uid === null) return;
    this.#merges.run().catch(this.#options.onError);
  };

  async #mergeReady(): Promise<void> {
    const { records, merger, awaitsTranscript, onMerged, onError } = this.#options;
    const uid = this.#uid;
    if (uid === null) return;
    const { signal } = this.#stop;
    const pairs = await records.continuations(uid);
    if (pairs.length === 0) return;
    const waiting = new Set(
      (await records.queue(uid)).filter(awaitsTranscript).map(({ id }) => id),
    );
    for (const { id, continues } of pairs) {
      if (this.#failed.has(id) || waiting.has(id) || waiting.has(continues)) continue;
      const parts = [continues, id];
      const details = await Promise.all(parts.map((part) => records.detail(part)));
      if (mergeObstacle(details) !== null) continue;
      try {
        const merged = await merger.merge(uid, parts, () => {}, signal);
        // If the user undoes the merge, the two stay separate.
        await records.update(id, { continues: null });
        for (const other of pairs) {
          // Recordings that continue one of the parts continue the new recording from now on.
          if (other.id !== id && parts.includes(other.continues)) {
            await records.update(other.id, { continues: merged });
          }
        }
        onMerged(parts, merged);
      } catch (error) {
        if (signal.aborted) return;
        this.#failed.add(id);
        onError(error);
      }
    }
  }
}
