/** Keys that wait longer after each failure, and until when. */
export class Postponed<Key> {
  readonly #delays: readonly number[];
  readonly #now: () => number;
  readonly #waiting = new Map<Key, { readonly failures: number; readonly due: number }>();

  /**
   * @param delays milliseconds after the first failure, the second, and so on; the last one repeats
   * @param now milliseconds since 1970
   */
  constructor(delays: readonly number[], now: () => number) {
    this.#delays = delays;
    this.#now = now;
  }

  /** Counts another failure. */
  postpone(key: Key): void {
    const failures = (this.#waiting.get(key)?.failures ?? 0) + 1;
    const delay = this.#delays[Math.min(failures, this.#delays.length) - 1] ?? 0;
    this.#waiting.set(key, { failures, due: this.#now() + delay });
  }

  /** Forgets the failures of a key: it worked, or the owner wants it tried now. */
  clear(key: Key): void {
    this.#waiting.delete(key);
  }

  isWaiting(key: Key): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.due > this.#now();
  }

  /** Whether a key has failed, and may be tried again. */
  isDue(key: Key): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.due <= this.#now();
  }

  /** When the next key is due, milliseconds since 1970; infinite while none waits. */
  nextDue(): number {
    const now = this.#now();
    const later = [...this.#waiting.values()].map(({ due }) => due).filter((due) => due > now);
    return Math.min(...later);
  }
}
