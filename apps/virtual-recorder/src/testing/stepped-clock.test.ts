/** Tests the stepped clock. */
import { expect, test } from 'vitest';
import { SteppedClock } from './stepped-clock.ts';

test('the clock runs timers at their due times, including timers that other timers add', () => {
  const clock = new SteppedClock();
  const called: [string, number][] = [];
  const note = (name: string) => () => called.push([name, clock.elapsed()]);
  clock.after(50, note('later'));
  clock.after(10, () => {
    note('first')();
    clock.after(20, note('second'));
  });
  clock.after(15, note('never'))();
  expect(clock.nextDueAt).toBe(10);
  clock.advanceTo(40);
  expect(called).toEqual([
    ['first', 10],
    ['second', 30],
  ]);
  expect(clock.elapsed()).toBe(40);
  expect(clock.nextDueAt).toBe(50);
  clock.advanceTo(50);
  expect(called.at(-1)).toEqual(['later', 50]);
  expect(clock.nextDueAt).toBe(Number.POSITIVE_INFINITY);
});
