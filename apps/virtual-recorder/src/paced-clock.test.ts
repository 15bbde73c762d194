import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedClock } from './paced-clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the clock runs at the set speed, which also applies to pending timers', () => {
  const clock = new PacedClock(1);
  const called: number[] = [];
  clock.after(60_000, () => called.push(clock.elapsed()));
  const cancel = clock.after(70_000, () => called.push(-1));
  vi.advanceTimersByTime(10_000);
  expect(clock.elapsed()).toBe(10_000);
  clock.speed = 50;
  vi.advanceTimersByTime(999);
  expect(called).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(called).toEqual([60_000]);
  cancel();
  clock.speed = 0.5;
  vi.advanceTimersByTime(60_000);
  expect(called).toEqual([60_000]);
  expect(clock.elapsed()).toBe(90_000);
});

test('the clock waits longer than a Node.js timer can', () => {
  const clock = new PacedClock(1e-5);
  const called: number[] = [];
  clock.after(60_000, () => called.push(Math.round(clock.elapsed())));
  vi.advanceTimersByTime(5_999_999_000);
  expect(called).toEqual([]);
  vi.advanceTimersByTime(1001);
  expect(called).toEqual([60_000]);
});
