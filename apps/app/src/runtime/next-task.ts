/**
 * Yields to the browser: the caller continues in a new task, after input and painting. For start-up work in
 * steps, each noticeable on a slow phone.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
