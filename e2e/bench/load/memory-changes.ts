import type { Operation, OperationOutcome, RecordingState } from '@linnet/contract';
import type { ChangeSyncOptions, ChangesPage } from '@linnet/sync';

type SyncedChanges = ChangeSyncOptions['changes'];

/** Stores the edits and changes of one client in memory. */
export class MemoryChanges implements SyncedChanges {
  /** The latest state of each recording, by `client_flag`. */
  readonly recordings = new Map<string, RecordingState>();
  /** The outcomes of all operations, in the order of the operations. */
  readonly outcomes: OperationOutcome[] = [];
  #queue: Operation[] = [];
  #cursor: string | undefined;
  readonly #listeners = new Set<() => void>();

  /** Queues an operation for the server. */
  add(operation: Operation): void {
    this.#queue.push(operation);
    this.#notify();
  }

  get hasPending(): boolean {
    return this.#queue.length > 0;
  }

  async pending(): Promise<readonly Operation[]> {
    return this.#queue;
  }

  async acknowledge(_uid: string, outcomes: readonly OperationOutcome[]): Promise<void> {
    const answered = new Set(outcomes.map(({ op_id }) => op_id));
    this.#queue = this.#queue.filter(({ op_id }) => !answered.has(op_id));
    this.outcomes.push(...outcomes);
    this.#notify();
  }

  async cursor(): Promise<string | undefined> {
    return this.#cursor;
  }

  async applyPage(_uid: string, cursor: string | undefined, page: ChangesPage): Promise<void> {
    if (cursor !== this.#cursor) return;
    for (const change of page.changes) {
      if (change.kind === 'recording')
        this.recordings.set(change.recording.client_flag, change.recording);
      if (change.kind === 'tombstone') this.recordings.delete(change.client_flag);
    }
    this.#cursor = page.cursor;
    this.#notify();
  }

  async restart(): Promise<void> {
    this.#cursor = undefined;
  }

  async orphanedAudio(): Promise<readonly string[]> {
    return [];
  }

  async markAudioRemoved(): Promise<void> {}

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
