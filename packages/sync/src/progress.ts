import type { TaskHead } from '@linnet/contract';

/** What moves right now, recording by recording; kept in memory because it is worthless after a crash. */
export type Movement =
  /** It is being recorded, and read along: nobody knows of how much. */
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
      /** What the server is at; null while the task waits. */
      readonly at: TaskHead['step'];
    };

/** At most this often listeners hear of one's mere progress, in milliseconds: ten times a second looks smooth. */
const QUIET_MS = 100;

/** Progress of transfers, for whoever draws it. */
export class ProgressBoard {
  #movements: ReadonlyMap<string, Movement> = new Map();
  readonly #listeners = new Set<() => void>();
  readonly #toldAt = new Map<string, number>();

  /** The same map until something changes. */
  get(): ReadonlyMap<string, Movement> {
    return this.#movements;
  }

  set(id: string, movement: Movement): void {
    const before = this.#movements.get(id);
    this.#movements = new Map(this.#movements).set(id, movement);
    const now = Date.now();
    const toldAt = this.#toldAt.get(id) ?? 0;
    if (before?.step === movement.step && now - toldAt < QUIET_MS) return;
    this.#toldAt.set(id, now);
    this.#tell();
  }

  clear(id: string): void {
    if (!this.#movements.has(id)) return;
    const movements = new Map(this.#movements);
    movements.delete(id);
    this.#movements = movements;
    this.#toldAt.delete(id);
    this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
