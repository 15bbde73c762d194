/**
 * Yields to the browser, which handles input and paints before the caller continues in a new task. Divides
 * start-up work that would block a slow phone noticeably.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
