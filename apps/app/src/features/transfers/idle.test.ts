import { writable } from '@linnet/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIdle } from './idle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns whether the pause has ended, after `ms` milliseconds. */
async function endsWithin(ms: number, pause: Promise<void>): Promise<boolean> {
  let hasEnded = false;
  void pause.then(() => {
    hasEnded = true;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return hasEnded;
}

describe('the pause between background steps', () => {
  it('is short while nothing is being received', async () => {
    expect(await endsWithin(100, createIdle(writable(false))())).toBe(true);
  });

  it('is longer while changes are being received, but limited', async () => {
    const pause = createIdle(writable(true))();
    expect(await endsWithin(1900, pause)).toBe(false);
    expect(await endsWithin(300, pause)).toBe(true);
  });

  it('ends once the last change has been received', async () => {
    const isReceiving = writable(true);
    const pause = createIdle(isReceiving)();
    expect(await endsWithin(300, pause)).toBe(false);
    isReceiving.set(false);
    expect(await endsWithin(100, pause)).toBe(true);
  });
});
