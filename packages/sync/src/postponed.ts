/** Tracks failed keys, each with a delay that grows with every failure. */
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

  /** Records another failure of a key, and restarts its delay. */
  postpone(key: Key): void {
    const failures = (this.#waiting.get(key)?.failures ?? 0) + 1;
    const delay = this.#delays[Math.min(failures, this.#delays.length) - 1] ?? 0;
    this.#waiting.set(key, { failures, due: this.#now() + delay });
  }

  /** Resets the failures of a key after a success, or for an immediate retry. */
  clear(key: Key): void {
    this.#waiting.delete(key);
  }

  /** Whether the delay of a key is still running. */
  isWaiting(key: Key): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.due > this.#now();
  }

  /** Whether the delay of a failed key has elapsed. */
  isDue(key: Key): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.due <= this.#now();
  }

  /** Returns when the next delay elapses, in milliseconds since 1970; Infinity if none is running. */
  nextDue(): number {
    const now = this.#now();
    const later = [...this.#waiting.values()].map(({ due }) => due).filter((due) => due > now);
    return Math.min(...later);
  }
}
