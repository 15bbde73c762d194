/** A resource that was requested. `stop` resolves once it is stopped, or if it could not be started. */
type Entry = { stop(): Promise<void> };

/** Stops resources in reverse order, including one that is still starting, because some would outlive this process. */
export class Resources {
  readonly #entries: Entry[] = [];
  #stopped: Promise<void> | null = null;

  /** Creates a list whose resources are also stopped when this process is interrupted, because some would outlive it. */
  static stoppedOnSignals(): Resources {
    const resources = new Resources();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => void resources.stop().finally(() => process.exit(1)));
    }
    return resources;
  }

  /**
   * Starts a resource that is stopped later.
   * @throws if the resources were already stopped
   */
  async start<T>(start: () => Promise<T>, stop: (resource: T) => Promise<void> | void): Promise<T> {
    if (this.#stopped) throw new Error('the resources were already stopped');
    const starting = start();
    this.#entries.push({
      stop: () =>
        starting.then(
          (resource) => stop(resource),
          () => undefined,
        ),
    });
    return starting;
  }

  /**
   * Stops all resources, even if stopping one of them fails. Further calls wait for the first one.
   * @throws AggregateError if any of them can't be stopped
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const entry of this.#entries.toReversed()) {
      await entry.stop().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'some resources were not stopped');
  }
}
