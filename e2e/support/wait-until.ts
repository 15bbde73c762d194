import { setTimeout as delay } from 'node:timers/promises';

/** The polling interval in milliseconds. */
const POLL_MS = 25;

/**
 * Polls until `poll` returns a truthy value, and returns that value.
 * @param description the condition, for the timeout's error message
 */
export async function waitUntil<T>(
  description: string,
  poll: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await poll();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms: ${description}`);
    await delay(POLL_MS);
  }
}
