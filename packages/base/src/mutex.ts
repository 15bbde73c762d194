/** A FIFO mutex. Runs asynchronous work one call at a time, in call order. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` once all earlier work has settled. A failure rejects only the returned promise and doesn't affect later
   * work. The mutex isn't reentrant: work that awaits other work on the same mutex deadlocks.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller handles a failure. Later work only waits for this work to settle.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
