import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDueDeletions } from './due-deletions.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
afterEach(() => void vi.useRealTimers());

it('deletes at each check and when the next grace period ends', () => {
  const ran: number[] = [];
  let recorder: number | null = 5000;
  const due = createDueDeletions({
    earliestDeletions: () => ({ recorder, phone: 3000, cloud: null }),
    now: Date.now,
    deleteDue: () => ran.push(Date.now()),
  });
  due.check();
  vi.advanceTimersByTime(10_000);
  expect(ran).toEqual([1000, 3000, 5000]);

  recorder = Date.now() + 1000;
  due.check();
  due.stop();
  vi.advanceTimersByTime(10_000);
  expect(ran).toHaveLength(4);
});
