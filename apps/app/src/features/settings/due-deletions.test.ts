import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDueDeletions } from './due-deletions.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
afterEach(() => void vi.useRealTimers());

it('deletes at each check and at the end of each grace period', () => {
  const deletionTimes: number[] = [];
  let recorder: number | null = 5000;
  const dueDeletions = createDueDeletions({
    earliestDeletions: () => ({ recorder, phone: 3000, cloud: null }),
    now: Date.now,
    deleteDue: () => deletionTimes.push(Date.now()),
  });
  dueDeletions.check();
  vi.advanceTimersByTime(10_000);
  expect(deletionTimes).toEqual([1000, 3000, 5000]);

  recorder = Date.now() + 1000;
  dueDeletions.check();
  dueDeletions.stop();
  vi.advanceTimersByTime(10_000);
  expect(deletionTimes).toHaveLength(4);
});
