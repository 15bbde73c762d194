/** Runs a function when a slot is free. Waiting functions start in the order in which they were passed. */
export type LimitConcurrency = <Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Limits how many functions run concurrently. */
export function createConcurrencyLimit(maxRunning: number): LimitConcurrency {
  let runningCount = 0;
  const waiting: (() => void)[] = [];

  return async (signal, work) => {
    if (runningCount >= maxRunning) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          waiting.splice(waiting.indexOf(start), 1);
          reject(signal.reason);
        };
        const start = () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(start);
      });
    } else runningCount += 1;
    try {
      return await work();
    } finally {
      // Hand the slot directly to the next waiting function, so no new call can take it first.
      const next = waiting.shift();
      if (next) next();
      else runningCount -= 1;
    }
  };
}
