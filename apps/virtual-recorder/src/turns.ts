/** What must not happen at the same time happens in the order in which it was asked for. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** @returns what the work does; a failure is its caller's to hear, and the next goes on behind it */
  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
