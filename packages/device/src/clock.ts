/** Time source of this package. Tests inject their own. */
export interface Clock {
  /** The milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Schedules one call after `ms` milliseconds. @returns a function that cancels it */
  after(ms: number, callback: () => void): () => void;
}

/** System clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
