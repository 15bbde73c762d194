/**
 * Work that never runs twice at once. Any number of calls while it runs cause one more run, which starts after the
 * last of them, so that it sees what they announced.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #isStale = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /**
   * Runs the work, or has the call that runs it repeat it. The promise of the call that runs it settles after the last
   * repetition, and rejects with the first failure, which ends the repetitions; the other calls resolve at once.
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

  /** Has the work repeated if it is running. Starts nothing. */
  repeat(): void {
    if (this.#isRunning) this.#isStale = true;
  }
}
