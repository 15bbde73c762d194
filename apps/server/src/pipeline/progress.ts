/** Writes the latest reported state. */
export interface Progress<State> {
  report(state: State): void;
  /** Stops writing. Resolves when the pending write, if any, has finished. */
  close(): Promise<void>;
}

/**
 * Throttles writes: the first report is written immediately, and later reports at most once per interval. Only the
 * latest report in each interval is written.
 * @param write must not reject
 */
export function createThrottledProgress<State>(
  intervalMs: number,
  write: (state: State) => Promise<void>,
): Progress<State> {
  let latest: { readonly state: State } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function schedule(): void {
    if (timer !== undefined || writing !== null || latest === null) return;
    timer = setTimeout(flush, Math.max(0, lastWriteAt + intervalMs - performance.now()));
  }

  function flush(): void {
    timer = undefined;
    if (latest === null) return;
    const { state } = latest;
    latest = null;
    lastWriteAt = performance.now();
    writing = write(state).finally(() => {
      writing = null;
      schedule();
    });
  }

  return {
    report(state) {
      if (isClosed) return;
      latest = { state };
      schedule();
    },

    async close() {
      isClosed = true;
      latest = null;
      clearTimeout(timer);
      timer = undefined;
      await writing;
    },
  };
}
