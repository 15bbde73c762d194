/**
 * Yields to the browser, so that it can handle input and paint before the caller continues in a new task. Used at
 * startup, which would otherwise block a slow phone noticeably.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
