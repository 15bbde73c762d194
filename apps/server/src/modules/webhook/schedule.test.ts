import { describe, expect, it } from 'vitest';
import { nextDelayMs } from './schedule.ts';

const minute = 60;
const hour = 60 * minute;

describe('the delay before the next attempt', () => {
  it('follows the example of the specification, up to ten attempts', () => {
    const delays = Array.from({ length: 11 }, (_, n) => nextDelayMs(n + 1, null, 0));
    const [s, m, h] = [1000, minute * 1000, hour * 1000];
    const expected = [5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h];
    expect(delays).toEqual([...expected, null, null]);
    const total = expected.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(75 * h + 35 * m + 5 * s);
  });

  it('is extended by at most a tenth at random', () => {
    expect(nextDelayMs(1, null, 1)).toBe(5500);
  });

  it('is longer when the receiver requests it, up to a day', () => {
    expect(nextDelayMs(1, 120, 0)).toBe(120_000);
    expect(nextDelayMs(3, 120, 0)).toBe(30 * minute * 1000);
    expect(nextDelayMs(1, 999_999_999, 0)).toBe(24 * hour * 1000);
    expect(nextDelayMs(10, 120, 0)).toBeNull();
  });
});
