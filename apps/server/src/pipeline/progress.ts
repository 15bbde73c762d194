/** Writes the latest of what is reported. */
export interface Progress<State> {
  report(state: State): void;
  /** Writes nothing more; resolves when nothing is being written. */
  close(): Promise<void>;
}

/**
 * Passes on what is reported at most once in so many milliseconds: the first at once, and of those that
 * come too soon the last one when its time has come.
 * @param write must not reject
 */
export function throttled<State>(
  everyMs: number,
  write: (state: State) => Promise<void>,
): Progress<State> {
  let latest: { readonly state: State } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function schedule(): void {
    if (timer !== undefined || writing !== null || latest === null) return;
    timer = setTimeout(flush, Math.max(0, wroteAt + everyMs - performance.now()));
  }

  function flush(): void {
    timer = undefined;
    if (latest === null) return;
    const { state } = latest;
    latest = null;
    wroteAt = performance.now();
    writing = write(state).finally(() => {
      writing = null;
      schedule();
    });
  }

  return {
    report(state) {
      if (closed) return;
      latest = { state };
      schedule();
    },

    async close() {
      closed = true;
      latest = null;
      clearTimeout(timer);
      timer = undefined;
      await writing;
    },
  };
}
