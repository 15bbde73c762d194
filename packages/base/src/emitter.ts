export type Unsubscribe = () => void;

/** Calls a set of listeners with the same arguments, in subscription order. */
export class Emitter<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** The number of subscribed listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Calls all listeners, except those that subscribe or unsubscribe during the call. */
  emit(...args: Args): void {
    for (const listener of [...this.#listeners]) {
      if (this.#listeners.has(listener)) listener(...args);
    }
  }

  /** Adds a listener. Adding it again has no effect. */
  subscribe(listener: (...args: Args) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }
}
