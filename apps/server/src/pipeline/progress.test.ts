import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createThrottledProgress } from './progress.ts';

describe('progress', () => {
  it('writes the first report immediately, then the latest report per interval', async () => {
    vi.useFakeTimers();
    try {
      const writes: [number, number][] = [];
      const from = performance.now();
      const progress = createThrottledProgress(500, async (state: number) => {
        writes.push([state, Math.round(performance.now() - from)]);
      });
      for (let n = 0; n < 120; n += 1) {
        progress.report(n);
        await vi.advanceTimersByTimeAsync(10);
      }
      await vi.advanceTimersByTimeAsync(10_000);
      expect(writes.map(([state]) => state)).toEqual([0, 49, 99, 119]);
      const times = writes.map(([, writtenAt]) => writtenAt);
      expect(times[0]).toBeLessThan(10);
      for (const [index, writtenAt] of times.entries()) {
        if (index > 0) expect(writtenAt - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(500);
      }
      await progress.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('writes one report at a time and none after it is closed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const writes: number[] = [];
    const first = Promise.withResolvers<void>();
    const progress = createThrottledProgress(0, (state: number) => {
      writes.push(state);
      return first.promise;
    });
    progress.report(1);
    await vi.waitUntil(() => writes.length === 1, 60_000);
    progress.report(2);
    const closed = progress.close();
    progress.report(3);
    first.resolve();
    await closed;
    // This is longer than the interval.
    await vi.advanceTimersByTimeAsync(1000);
    expect(writes).toEqual([1]);
  });
});
