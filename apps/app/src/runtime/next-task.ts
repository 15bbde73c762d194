/**
 * Yields to the browser: the caller continues in another task, and input and painting come between. For start-up work
 * in steps, each noticeable on a slow phone.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
