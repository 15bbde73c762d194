/**
 * Merges recordings with the earlier ones that they continue, once both are complete and either both or neither need a
 * transcript. The database stores which recording continues which, so a restart loses nothing.
 */
import { Coalesced } from '@linnet/base';
import type { QueuedRecord, RecordStore } from '../ports/records.ts';
import { MergeRefused } from './obstacle.ts';
import type { RecordingMerger } from './recording-merger.ts';

export type ContinuationsOptions = {
  readonly records: Pick<RecordStore, 'continuations' | 'queue'>;
  readonly merger: Pick<RecordingMerger, 'merge'>;
  /** True if a recording is being transcribed, or may be transcribed automatically. */
  readonly awaitsTranscript: (record: QueuedRecord) => boolean;
  /** Called with the IDs of recordings whose audio is needed for a later merge. */
  readonly onWaiting: (ids: readonly string[]) => void;
  /** Called with the IDs of the parts and of the new recording. */
  readonly onMerged: (parts: readonly string[], id: string) => void;
  readonly onError: (error: unknown) => void;
};

export class Continuations {
  readonly #options: ContinuationsOptions;
  /** Recordings that couldn't be merged. They are retried after a restart. */
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
    this.#options.onWaiting([]);
  }

  /** Looks for recordings that can be merged now. Call it when recordings have changed. */
  readonly check = (): void => {
    if (this.#uid === null) return;
    this.#merges.run().catch(this.#options.onError);
  };

  async #mergeReady(): Promise<void> {
    const { records, merger, awaitsTranscript, onWaiting, onMerged, onError } = this.#options;
    const uid = this.#uid;
    if (uid === null) return;
    const { signal } = this.#stop;
    const pairs = await records.continuations(uid);
    if (signal.aborted) return;
    onWaiting(pairs.flatMap(({ id, continues }) => [continues, id]));
    const completePairs = pairs.filter((pair) => pair.isComplete && !this.#failed.has(pair.id));
    if (completePairs.length === 0) return;
    const queue = await records.queue(uid, false);
    const waitingIds = new Set(queue.filter(awaitsTranscript).map(({ id }) => id));
    for (const { id, continues } of completePairs) {
      if (waitingIds.has(id) || waitingIds.has(continues)) continue;
      const parts = [continues, id];
      try {
        onMerged(parts, await merger.merge(uid, parts, () => {}, signal));
        // The commit of the merge starts the next run, which rereads the other pairs.
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Most obstacles disappear with a later change.
        if (error instanceof MergeRefused && error.obstacle.code !== 'limit_exceeded') continue;
        this.#failed.add(id);
        if (!(error instanceof MergeRefused)) onError(error);
      }
    }
  }
}
