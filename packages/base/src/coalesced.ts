/**
 * Runs asynchronous work without overlap. Any number of calls during a run cause one more run after it, which sees
 * every change made before those calls.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #isStale = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /**
   * Runs the work, or requests a rerun if it is running; such a request resolves immediately. The promise of the
   * running call settles after the last rerun, or rejects with the first failure, which cancels further reruns.
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

  /** Requests a rerun if the work is running; otherwise does nothing. */
  invalidate(): void {
    if (this.#isRunning) this.#isStale = true;
  }
}
