/** A flag that wakes a single waiter when raised. Raising it again before it's lowered has no effect. */
export class Flag {
  #raised = false;
  #wake: (() => void) | null = null;

  raise(): void {
    this.#raised = true;
    this.#wake?.();
  }

  /** Lowers the flag. @returns true if it was raised */
  lower(): boolean {
    const raised = this.#raised;
    this.#raised = false;
    return raised;
  }

  /** Resolves once the flag is raised, and lowers it. Rejects with `signal.reason` if aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#raised) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#wake = () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#raised = false;
  }
}
