/** What moves right now, recording by recording; kept in memory because it is worthless after a crash. */
export type Movement = {
  readonly step: 'fetch' | 'prepare' | 'upload';
  /** 0–1 */
  readonly fraction: number;
};

/** At most this often listeners hear of mere progress, in milliseconds: ten times a second looks smooth. */
const QUIET_MS = 100;

/** Progress of transfers, for whoever draws it. */
export class ProgressBoard {
  #movements: ReadonlyMap<string, Movement> = new Map();
  readonly #listeners = new Set<() => void>();
  #toldAt = 0;

  /** The same map until something changes. */
  get(): ReadonlyMap<string, Movement> {
    return this.#movements;
  }

  set(id: string, movement: Movement): void {
    const before = this.#movements.get(id);
    this.#movements = new Map(this.#movements).set(id, movement);
    const now = Date.now();
    if (before?.step === movement.step && now - this.#toldAt < QUIET_MS) return;
    this.#tell(now);
  }

  clear(id: string): void {
    if (!this.#movements.has(id)) return;
    const movements = new Map(this.#movements);
    movements.delete(id);
    this.#movements = movements;
    this.#tell(Date.now());
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(now: number): void {
    this.#toldAt = now;
    for (const listener of this.#listeners) listener();
  }
}
