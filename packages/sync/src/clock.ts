/** A clock that tests can replace. */
export interface Clock {
  /** The milliseconds since 1970. */
  now(): number;
  /**
   * Returns milliseconds since an arbitrary start, for measuring durations. Unlike `now`, it doesn't jump when the
   * system's clock is set.
   */
  elapsed(): number;
  /** Resolves after `ms`, or rejects with `signal.reason` if aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal.addEventListener('abort', onAbort, { once: true });
    }),
};
