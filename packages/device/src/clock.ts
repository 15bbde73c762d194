/** Time as this package sees it; tests put their own in place. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Calls back once after `ms` milliseconds; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** The running system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
