import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks. */
const POLL_MS = 25;

/**
 * Waits until `look` gives something, and gives it back.
 * @param what is named when it never comes
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
