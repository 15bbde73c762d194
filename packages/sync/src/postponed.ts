/** Tracks failed keys. Each key has a retry delay that grows with each failure. */
export class Postponed<Key> {
  readonly #delays: readonly number[];
  readonly #now: () => number;
  readonly #waiting = new Map<Key, { readonly failures: number; readonly dueAt: number }>();

  /**
   * @param delays the delays after the first failure, the second, and so on, in milliseconds; the last delay repeats
   * @param now returns the time in milliseconds. It must not jump when the system's clock is set.
   */
  constructor(delays: readonly number[], now: () => number) {
    this.#delays = delays;
    this.#now = now;
  }

  /** Records another failure of a key, and restarts its delay. */
  postpone(key: Key): void {
    const failures = (this.#waiting.get(key)?.failures ?? 0) + 1;
    const delay = this.#delays[Math.min(failures, this.#delays.length) - 1] ?? 0;
    this.#waiting.set(key, { failures, dueAt: this.#now() + delay });
  }

  /** Forgets the failures of a key. Call after a success, or to allow an immediate retry. */
  clear(key: Key): void {
    this.#waiting.delete(key);
  }

  /** True while a key's delay is running. */
  isWaiting(key: Key): boolean {
    const waitingEntry = this.#waiting.get(key);
    return waitingEntry !== undefined && waitingEntry.dueAt > this.#now();
  }

  /** True once a failed key's delay has elapsed. */
  isDue(key: Key): boolean {
    const waitingEntry = this.#waiting.get(key);
    return waitingEntry !== undefined && waitingEntry.dueAt <= this.#now();
  }

  /**
   * Returns when the next delay elapses, in milliseconds of the constructor's `now`, or Infinity if there is none.
   * @param after ignores delays that elapsed by this time. Pass the time of the last check for due keys: a key that
   *   became due since then is not missed, and one that the check didn't need doesn't count forever.
   */
  nextDue(after: number): number {
    const dueTimes = [...this.#waiting.values()].map(({ dueAt }) => dueAt);
    return Math.min(...dueTimes.filter((dueAt) => dueAt > after));
  }
}
