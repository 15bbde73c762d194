/** Runs work with limited concurrency, in order of arrival. */
export type Turns = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

export function createTurns(atOnce: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (signal, work) => {
    if (running >= atOnce) {
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(signal.reason);
        };
        const begin = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(begin);
      });
    } else running += 1;
    try {
      return await work();
    } finally {
      // Hands the slot directly to the next in the queue, if any.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
