import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two polls. */
const POLL_MS = 25;

/**
 * Polls `look` until it returns a truthy value, and returns that.
 * @param what named in the error after a timeout
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await delay(POLL_MS);
  }
}
