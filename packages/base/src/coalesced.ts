/**
 * Runs asynchronous work without overlap. Any number of calls during a run cause exactly one rerun afterwards, so
 * changes made before a call are never missed.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #isStale = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /**
   * Runs the work. If it's already running, requests a rerun and resolves immediately. The first call's promise settles
   * after the last rerun, or rejects with the first failure, which cancels further reruns.
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

  /** Requests a rerun if the work is running. Otherwise has no effect. */
  invalidate(): void {
    if (this.#isRunning) this.#isStale = true;
  }
}
