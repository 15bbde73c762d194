import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two polls. */
const POLL_MS = 25;

/**
 * Polls `look` until it returns a truthy value, and returns that.
 * @param description named in the error after a timeout
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
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${description}`);
    await delay(POLL_MS);
  }
}
