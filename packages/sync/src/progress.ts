import { Emitter, type Unsubscribe } from '@linnet/base';
import type { TaskHead } from '@linnet/contract';

/** A recording's current step and its progress. Not persisted, because no step survives a crash. */
export type Movement =
  /**
   * A recording in progress, so its length is unknown: transferred or received live from a recorder, or made with this
   * device's microphone.
   */
  | { readonly step: 'record'; readonly source: 'recorder' | 'microphone' }
  | {
      readonly step: 'fetch' | 'prepare' | 'upload' | 'download';
      /** 0–1 */
      readonly fraction: number;
    }
  | {
      readonly step: 'transcribe';
      /** 0–1, over the whole task. */
      readonly fraction: number;
      /** The step that the server is working on, or null while the task is queued. */
      readonly at: TaskHead['step'];
      /** The range that is transcribed again; omitted for the whole recording. */
      readonly range?: TaskHead['range'];
    };

/** Minimum interval between progress notifications within a step. Ten a second look smooth. */
const NOTIFY_INTERVAL_MS = 100;

/** Tracks the progress of recordings that are being transferred or processed. */
export class ProgressBoard {
  #movements: ReadonlyMap<string, Movement> = new Map();
  readonly #changed = new Emitter();
  /** When listeners were last notified of each recording's progress, in milliseconds of `performance.now`. */
  readonly #notifiedAt = new Map<string, number>();

  /** Returns the current progress of all recordings. The map is the same object until it changes. */
  get(): ReadonlyMap<string, Movement> {
    return this.#movements;
  }

  set(id: string, movement: Movement): void {
    const previous = this.#movements.get(id);
    this.#movements = new Map(this.#movements).set(id, movement);
    const now = performance.now();
    const notifiedAt = this.#notifiedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    if (previous?.step === movement.step && now - notifiedAt < NOTIFY_INTERVAL_MS) return;
    this.#notifiedAt.set(id, now);
    this.#changed.emit();
  }

  clear(id: string): void {
    if (!this.#movements.has(id)) return;
    const movements = new Map(this.#movements);
    movements.delete(id);
    this.#movements = movements;
    this.#notifiedAt.delete(id);
    this.#changed.emit();
  }

  subscribe(listener: () => void): Unsubscribe {
    return this.#changed.subscribe(listener);
  }
}
