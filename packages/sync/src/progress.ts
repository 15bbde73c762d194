import { Emitter, type Unsubscribe } from '@linnet/base';
import type { TaskHead } from '@linnet/contract';

/** A step in progress of a recording. Kept in memory only, since no step survives a crash. */
export type Movement =
  /** Transfer of a recording in progress, whose length is unknown. */
  | { readonly step: 'record' }
  | {
      readonly step: 'fetch' | 'prepare' | 'upload' | 'download';
      /** 0–1 */
      readonly fraction: number;
    }
  | {
      readonly step: 'transcribe';
      /** 0–1, of the complete task. */
      readonly fraction: number;
      /** The server's current step; null while the task is queued. */
      readonly at: TaskHead['step'];
    };

/** Minimum interval between notifications of progress within a step, in milliseconds: ten a second look smooth. */
const QUIET_MS = 100;

/** Tracks the progress of recordings that are being transferred or processed. */
export class ProgressBoard {
  #movements: ReadonlyMap<string, Movement> = new Map();
  readonly #changed = new Emitter();
  /** Time of the last notification about each recording. */
  readonly #notifiedAt = new Map<string, number>();

  /** Returns the current progress; the same map until it changes. */
  get(): ReadonlyMap<string, Movement> {
    return this.#movements;
  }

  set(id: string, movement: Movement): void {
    const before = this.#movements.get(id);
    this.#movements = new Map(this.#movements).set(id, movement);
    const now = Date.now();
    const notifiedAt = this.#notifiedAt.get(id) ?? 0;
    if (before?.step === movement.step && now - notifiedAt < QUIET_MS) return;
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
