/** This package's time source, which tests can replace. */
export interface Clock {
  /** Returns the time in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /**
   * Returns milliseconds since an arbitrary start, for measuring durations. Unlike `now`, it doesn't jump when the
   * system's clock is set.
   */
  elapsed(): number;
  /** Calls `callback` once after `ms` milliseconds. @returns a function that cancels the timer */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
