import { setTimeout as delay } from 'node:timers/promises';

/**
 * Bytes a second that one account's uploads bring to one process, all of them together: 64 Mbit/s, what a good line at
 * home sends. Parsing, hashing and writing twice as many kept a core busy (`npm run bench -- flood`).
 */
const bytesPerSecond = 8 * 1024 ** 2;

/** Bytes that come at full speed before: recordings of about a quarter of an hour. */
const burstBytes = bytesPerSecond;

/** Milliseconds that are worth a timer; shorter waits add up to one. */
const shortestWaitMs = 20;

/** Accounts above which those that have waited enough are forgotten. */
const manyAccounts = 1000;

/** Slows each account's uploads down to what leaves the event loop and the disk to others. */
export interface UploadPace {
  /** The same body; the sender is held back by not reading on. */
  slow(subject: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/** @param time replaced in tests; milliseconds */
export function createUploadPace(
  time: { now(): number; sleep(ms: number): Promise<unknown> } = {
    now: () => performance.now(),
    sleep: (ms) => delay(ms),
  },
): UploadPace {
  /** When what an account has sent would have come at its pace. */
  const paidUntil = new Map<string, number>();

  /** Counts bytes. @returns milliseconds to wait before the next ones are read */
  function count(subject: string, bytes: number): number {
    const now = time.now();
    const began = Math.max(paidUntil.get(subject) ?? 0, now);
    const until = began + (bytes / bytesPerSecond) * 1000;
    paidUntil.set(subject, until);
    if (paidUntil.size > manyAccounts) {
      for (const [each, past] of paidUntil) if (past <= now) paidUntil.delete(each);
    }
    return until - now - (burstBytes / bytesPerSecond) * 1000;
  }

  return {
    async *slow(subject, body) {
      for await (const bytes of body) {
        yield bytes;
        const wait = count(subject, bytes.length);
        if (wait >= shortestWaitMs) await time.sleep(wait);
      }
    },
  };
}
