import { setTimeout as delay } from 'node:timers/promises';

/**
 * Combined upload rate of one account per process, in bytes per second: 64 Mbit/s, the upstream of a good home
 * connection. Parsing, hashing and writing at twice this rate kept one core busy (`npm run bench -- flood`).
 */
const bytesPerSecond = 8 * 1024 ** 2;

/**
 * Number of bytes accepted at full speed before throttling. Fits an hour of a recorder's audio (28.8 million bytes), so
 * throttling doesn't delay its transcript.
 */
const burstBytes = 32 * 1024 ** 2;

/** Minimum wait worth a timer, in milliseconds. Shorter waits accumulate. */
const shortestWaitMs = 20;

/** If more accounts are tracked, accounts without a pending wait are dropped. */
const manyAccounts = 1000;

/** Throttles uploads per account, to keep the event loop and the disk available to other accounts. */
export interface UploadPace {
  /** Passes the body through, pausing reads to throttle the sender. */
  throttle(subject: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/**
 * Creates an upload pace.
 * @param time clock in milliseconds, replaced in tests
 */
export function createUploadPace(
  time: { now(): number; sleep(ms: number): Promise<unknown> } = {
    now: () => performance.now(),
    sleep: (ms) => delay(ms),
  },
): UploadPace {
  /** The time when each account's bytes would have arrived at the allowed rate. */
  const paidUntil = new Map<string, number>();

  /**
   * Counts bytes.
   * @returns milliseconds to wait before the next read
   */
  function count(subject: string, bytes: number): number {
    const now = time.now();
    const startsAt = Math.max(paidUntil.get(subject) ?? 0, now);
    const endsAt = startsAt + (bytes / bytesPerSecond) * 1000;
    paidUntil.set(subject, endsAt);
    if (paidUntil.size > manyAccounts) {
      for (const [trackedSubject, paidAt] of paidUntil)
        if (paidAt <= now) paidUntil.delete(trackedSubject);
    }
    return endsAt - now - (burstBytes / bytesPerSecond) * 1000;
  }

  return {
    async *throttle(subject, body) {
      for await (const bytes of body) {
        yield bytes;
        const wait = count(subject, bytes.length);
        if (wait >= shortestWaitMs) await time.sleep(wait);
      }
    },
  };
}
