/** A FIFO mutex: runs asynchronous work one call at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` after all earlier work has settled. A failure rejects only the returned promise and does not affect
   * later work. Not reentrant: work that awaits other work of the same mutex deadlocks.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller receives the failure; later work only waits for the end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
