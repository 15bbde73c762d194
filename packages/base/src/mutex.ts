/** A FIFO mutex: runs asynchronous work one at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` when all earlier work has ended. Its failure rejects the returned promise only; the work after it runs
   * all the same. Work that waits for other work of the same mutex never ends.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
