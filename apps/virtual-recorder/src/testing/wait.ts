/** Waits for conditions. */

const TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** Polls until the value is neither undefined, null nor false, and returns it. */
export async function until<T>(
  poll: () => T | Promise<T>,
  description: string,
): Promise<Exclude<T, undefined | null | false>> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await poll();
    if (value !== undefined && value !== null && value !== false) {
      return value as Exclude<T, undefined | null | false>;
    }
    if (performance.now() > end) throw new Error(`timed out: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
