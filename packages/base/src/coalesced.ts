/**
 * Runs asynchronous work without overlap. Calls during a run cause exactly one more run after it, so no change made
 * before such a call is missed.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #isStale = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /**
   * Runs the work. If it is already running, requests a rerun and resolves immediately. The promise of the first call
   * settles after the last rerun, or rejects with the first failure, which cancels further reruns.
   */
  async run(): Promise<void> {
    this.#isStale = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#work();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Requests a rerun if the work is running. Otherwise, does nothing. */
  invalidate(): void {
    if (this.#isRunning) this.#isStale = true;
  }
}
