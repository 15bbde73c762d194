/** A FIFO mutex, which runs asynchronous work one call at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` after all earlier work has settled. A failure rejects only the returned promise and does not affect
   * later work. The mutex is not reentrant: work that awaits other work of the same mutex causes a deadlock.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller handles the failure. Later work only waits until this work has settled.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
