import { Emitter, type Unsubscribe } from '@linnet/base';
import type { TaskHead } from '@linnet/contract';

/** A step under way of a recording. Held in memory only: it means nothing after a crash. */
export type Movement =
  /** Read while it is being recorded: the length is unknown. */
  | { readonly step: 'record' }
  | {
      readonly step: 'fetch' | 'prepare' | 'upload' | 'download';
      /** 0–1 */
      readonly fraction: number;
    }
  | {
      readonly step: 'transcribe';
      /** 0–1, of the whole task. */
      readonly fraction: number;
      /** The server's current step; null while the task is queued. */
      readonly at: TaskHead['step'];
    };

/** Minimum interval between notifications of progress within a step, in milliseconds: ten a second look smooth. */
const QUIET_MS = 100;

/** The recordings that are being transferred or processed, with their progress. */
export class ProgressBoard {
  #movements: ReadonlyMap<string, Movement> = new Map();
  readonly #changed = new Emitter();
  readonly #notifiedAt = new Map<string, number>();

  /** The same map until something changes. */
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
