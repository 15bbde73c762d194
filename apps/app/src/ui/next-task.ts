/**
 * Ends the present task and goes on in another one: between the two the browser answers taps and paints.
 * For work in steps at the start, each a noticeable moment on a slow phone.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
