import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from './conflict.ts';

const noon = new Date('2026-11-20T12:00:00Z');
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);

describe('an operation', () => {
  it.each([
    ['on an untouched register', null, 0, -5, true, -5],
    ['by someone who had seen the last', { rev: 7, at: minutes(-9) }, 7, -5, true, -5],
    ['by someone whose clock is behind', { rev: 7, at: minutes(-2) }, 8, -5, true, -2],
    ['done later, unseen', { rev: 7, at: minutes(-9) }, 6, -5, true, -5],
    ['done earlier, unseen', { rev: 7, at: minutes(-2) }, 6, -5, false, -5],
    ['done at the same moment, unseen', { rev: 7, at: minutes(-5) }, 6, -5, true, -5],
    ['by a clock that runs ahead', { rev: 7, at: minutes(-1) }, 6, 60, true, 0],
    ['by a clock that runs ahead, on another', { rev: 7, at: noon }, 6, 60, true, 0],
  ])('%s', (_, last, base_rev, at, replaces, countsAt) => {
    const judged = judge(last, { base_rev, at: minutes(at) }, noon);
    expect(judged).toEqual({ replaces, at: minutes(countsAt) });
  });

  it('never counts as done after now, nor before one it replaces knowingly', () => {
    const time = fc.integer({ min: -1e12, max: 1e12 }).map((ms) => new Date(noon.getTime() + ms));
    const past = time.map((at) => (at > noon ? noon : at)).filter((at) => at.getTime() >= 0);
    fc.assert(
      fc.property(fc.nat(9), past, fc.nat(9), time, (rev, last, base_rev, at) => {
        const judged = judge({ rev, at: last }, { base_rev, at }, noon);
        expect(judged.at <= noon).toBe(true);
        if (rev <= base_rev) {
          expect(judged.replaces).toBe(true);
          expect(judged.at >= last).toBe(true);
        } else expect(judged.replaces).toBe(judged.at >= last);
      }),
    );
  });

  it('done apart by phones with right clocks: the latest stays, in whatever order they arrive', () => {
    const moments = fc.uniqueArray(fc.nat(1e9), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(moments, (ms) => {
        let last: { rev: number; at: Date } | null = null;
        for (const [index, back] of ms.entries()) {
          const op = { base_rev: 0, at: new Date(noon.getTime() - back) };
          const { replaces, at } = judge(last, op, noon);
          if (replaces) last = { rev: index + 1, at };
        }
        expect(last?.at).toEqual(new Date(noon.getTime() - Math.min(...ms)));
      }),
    );
  });
});
