import type { Clock } from '@linnet/sync';

/** The browser's time. */
export const webClock: Clock = {
  now: () => Date.now(),
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

/** Milliseconds after which what may wait is done even though the page never rests. */
const LONGEST_WAIT_MS = 2000;
/** Milliseconds between two steps where the browser does not tell when it rests. */
const STEP_GAP_MS = 60;

/** Resolves when the page has nothing more urgent to do. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, STEP_GAP_MS);
    else requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
  });
}
