import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSliceProgress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Simulates two processes that each need the given time per ten-second slice. */
function decode(secondsPerSlice: number) {
  const seen: { at: number; fraction: number }[] = [];
  const from = performance.now();
  const progress = createSliceProgress(4000, (fraction) => {
    seen.push({ at: (performance.now() - from) / 1000, fraction });
  });
  for (const slices of [0, 2000]) {
    progress.startSlice(0, { from: slices, to: slices + 1000 });
    progress.startSlice(1, { from: slices + 1000, to: slices + 2000 });
    vi.advanceTimersByTime(secondsPerSlice * 1000);
    progress.end(0);
    progress.end(1);
  }
  progress.stop();
  vi.advanceTimersByTime(60_000);
  return seen;
}

it.each([1, 4, 20])('progress rises every second up to 1 when a slice takes %i s', (seconds) => {
  const seen = decode(seconds);
  expect(seen.at(-1)?.fraction).toBe(1);
  for (const [index, { at, fraction }] of seen.entries()) {
    const before = seen[index - 1] ?? { at: 0, fraction: 0 };
    expect(fraction).toBeGreaterThan(before.fraction);
    expect(at - before.at).toBeLessThanOrEqual(1.001);
  }
});

it('progress never reports a slice as done prematurely', () => {
  const seen = decode(60);
  const half = seen.filter(({ at }) => at < 59.9);
  expect(Math.max(...half.map(({ fraction }) => fraction))).toBeLessThan(0.5);
  expect(seen.find(({ at }) => at > 60)?.fraction).toBeGreaterThan(0.5);
});
