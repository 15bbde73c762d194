/** Timeout in milliseconds. After it, even a busy page counts as idle. */
const IDLE_TIMEOUT_MS = 2000;
/** Delay in milliseconds that stands in for idle callbacks in browsers without them. */
const STEP_GAP_MS = 60;

/** Resolves when the page is idle. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, STEP_GAP_MS);
    else requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS });
  });
}
