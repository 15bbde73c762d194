import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Written } from './conflict.ts';
import { judge } from './conflict.ts';

const noon = new Date('2026-11-20T12:00:00Z');
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);

/** A value written at revision 7 by a writer that had seen nothing, unless overridden. */
const written = (at: number, rest: Partial<Written> = {}): Written => ({
  rev: 7,
  base_rev: 0,
  at: minutes(at),
  own_at: minutes(at),
  ...rest,
});
/** A value written by a phone with a slow clock over an edit of five minutes ago. */
const raised = written(-5, { base_rev: 6, own_at: minutes(-60) });

describe('an operation', () => {
  it.each([
    ['on an untouched register', null, 0, -5, true, -5],
    ['by someone who had seen the last', written(-9), 7, -5, true, -5],
    ['by someone whose clock is behind', written(-2), 8, -5, true, -2],
    ['done later, unseen', written(-9), 6, -5, true, -5],
    ['done earlier, unseen', written(-2), 6, -5, false, -5],
    ['done at the same moment, unseen', written(-5), 6, -5, true, -5],
    ['by a clock that runs ahead', written(-1), 6, 60, true, 0],
    ['by a clock that runs ahead, on another', written(0), 6, 60, true, 0],
    ['after one with a clock behind, by the same phone', raised, 6, -59, true, -5],
    ['before one with a clock behind, on the same base', raised, 6, -61, false, -61],
    ['unseen of what one with a clock behind had seen', raised, 5, -59, false, -59],
    ['unseen of it, and later than it all', raised, 5, -4, true, -4],
  ])('%s', (_, last, base_rev, at, replaces, countsAt) => {
    const judged = judge(last, { base_rev, at: minutes(at) }, noon);
    expect(judged).toMatchObject({ replaces, at: minutes(countsAt) });
  });

  const time = fc.integer({ min: -1e12, max: 1e12 }).map((ms) => new Date(noon.getTime() + ms));
  const past = time.map((at) => (at > noon ? noon : at)).filter((at) => at.getTime() >= 0);
  const someone = fc.record({ base_rev: fc.nat(9), at: time });
  /** A valid effective time: not before the writer's own, and raised only by values the writer had seen. */
  const anyWritten = fc
    .record({ rev: fc.nat(9), base_rev: fc.nat(9), times: fc.tuple(past, past) })
    .map(({ rev, base_rev, times: [a, b] }) => ({
      rev: Math.max(rev, base_rev + 1),
      base_rev,
      at: a > b ? a : b,
      own_at: a > b ? b : a,
    }));

  it('has an effective time between its own time, or that of a value it has seen, and now', () => {
    fc.assert(
      fc.property(anyWritten, someone, (last, op) => {
        const judged = judge(last, op, noon);
        expect(judged.at <= noon).toBe(true);
        expect(judged.at >= judged.own_at).toBe(true);
        if (op.base_rev >= last.rev) expect(judged.replaces).toBe(true);
        else {
          const known = op.base_rev >= last.base_rev;
          expect(judged.replaces).toBe(judged.own_at >= (known ? last.own_at : last.at));
        }
        // Values that the writer had seen, including those of the last writer.
        if (judged.replaces) expect(judged.at >= last.at).toBe(true);
      }),
    );
  });

  it('replaces earlier edits of the same phone regardless of its clock', () => {
    const clock = fc.array(time, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyWritten, clock, (first, times) => {
        // A phone's clock may be wrong, but its edits never precede its earlier ones.
        const ops = times.toSorted((a, b) => a.getTime() - b.getTime());
        let last: Written = first;
        for (const at of ops) {
          // The phone has seen the first value, and receives none of its own edits in between.
          const op = { base_rev: first.rev, at };
          const { replaces, ...judged } = judge(last, op, noon);
          expect(replaces).toBe(true);
          last = { rev: last.rev + 1, base_rev: op.base_rev, ...judged };
        }
      }),
    );
  });

  it('concurrent with others on the same base wins by its own time in any order of arrival', () => {
    const moments = fc.uniqueArray(fc.nat(1e9), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.option(anyWritten), moments, (first, ms) => {
        const base_rev = first?.rev ?? 0;
        let last: Written | null = first;
        for (const [index, back] of ms.entries()) {
          const op = { base_rev, at: new Date(noon.getTime() - back) };
          const { replaces, ...judged } = judge(last, op, noon);
          if (replaces) last = { rev: base_rev + index + 1, base_rev, ...judged };
        }
        expect(last?.own_at).toEqual(new Date(noon.getTime() - Math.min(...ms)));
      }),
    );
  });
});
