import type { Store } from '../../ports/store.ts';

/** Timeout in milliseconds after which even a busy page counts as idle. */
const IDLE_TIMEOUT_MS = 2000;
/** Delay in milliseconds that replaces idle callbacks in browsers without them. */
const STEP_GAP_MS = 60;

/** The interval between background steps while changes are being received, in milliseconds. */
const RECEIVING_GAP_MS = 2000;

/** Resolves when the page is idle. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, STEP_GAP_MS);
    else requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS });
  });
}

/**
 * Returns a function that resolves when the page is idle. While changes are being received, it first waits two seconds
 * or until they end, because background work would slow down the database.
 */
export function createIdle(isReceiving: Store<boolean>): () => Promise<void> {
  return async () => {
    if (isReceiving.get()) await nextChange(isReceiving, RECEIVING_GAP_MS);
    await idle();
  };
}

/** Resolves when the store changes, or after `ms`. */
function nextChange(store: Store<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const unsubscribe = store.subscribe(end);
  });
}
