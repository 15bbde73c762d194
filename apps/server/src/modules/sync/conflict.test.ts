import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegisterWrite } from './conflict.ts';
import { resolveConflict } from './conflict.ts';

const noon = new Date('2026-11-20T12:00:00Z');
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);

/** A value written at revision 7 by a writer that had seen no earlier value, unless overridden. */
const createWrite = (at: number, rest: Partial<RegisterWrite> = {}): RegisterWrite => ({
  rev: 7,
  base_rev: 0,
  at: minutes(at),
  own_at: minutes(at),
  ...rest,
});
/** A value written by a phone whose clock is an hour slow, replacing an edit made five minutes ago. */
const raised = createWrite(-5, { base_rev: 6, own_at: minutes(-60) });

describe('an operation', () => {
  it.each([
    ['is applied to', 'a register that has no value yet', null, 0, -5, true, -5],
    ['replaces', 'a value that its writer had seen', createWrite(-9), 7, -5, true, -5],
    [
      'replaces',
      "a value that its writer had seen, despite the writer's slow clock",
      createWrite(-2),
      8,
      -5,
      true,
      -2,
    ],
    ['replaces', 'an earlier concurrent value', createWrite(-9), 6, -5, true, -5],
    ['does not replace', 'a later concurrent value', createWrite(-2), 6, -5, false, -5],
    ['replaces', 'a concurrent value of the same time', createWrite(-5), 6, -5, true, -5],
    [
      'replaces',
      'an earlier concurrent value, with its own time capped at the present',
      createWrite(-1),
      6,
      60,
      true,
      0,
    ],
    [
      'replaces',
      'a value written just now, despite its own fast clock',
      createWrite(0),
      6,
      60,
      true,
      0,
    ],
    [
      'replaces',
      'an earlier value from the same phone, despite its slow clock',
      raised,
      6,
      -59,
      true,
      -5,
    ],
    ['does not replace', 'a later value on the same base', raised, 6, -61, false, -61],
    ['does not replace', 'a value with a later effective time', raised, 5, -59, false, -59],
    ['replaces', 'a value with an earlier effective time', raised, 5, -4, true, -4],
  ])('%s %s', (_verb, _value, last, base_rev, at, replaces, effectiveAt) => {
    const resolved = resolveConflict(last, { base_rev, at: minutes(at) }, noon);
    expect(resolved).toMatchObject({ replaces, at: minutes(effectiveAt) });
  });

  const time = fc.integer({ min: -1e12, max: 1e12 }).map((ms) => new Date(noon.getTime() + ms));
  const past = time.map((at) => (at > noon ? noon : at)).filter((at) => at.getTime() >= 0);
  const operation = fc.record({ base_rev: fc.nat(9), at: time });
  /** Writes whose effective time isn't earlier than the time on the writer's clock. */
  const anyWritten = fc
    .record({ rev: fc.nat(9), base_rev: fc.nat(9), times: fc.tuple(past, past) })
    .map(({ rev, base_rev, times: [a, b] }) => ({
      rev: Math.max(rev, base_rev + 1),
      base_rev,
      at: a > b ? a : b,
      own_at: a > b ? b : a,
    }));

  it('gets an effective time between its own time and the present, and wins according to the rules', () => {
    fc.assert(
      fc.property(anyWritten, operation, (last, op) => {
        const resolved = resolveConflict(last, op, noon);
        expect(resolved.at <= noon).toBe(true);
        expect(resolved.at >= resolved.own_at).toBe(true);
        if (op.base_rev >= last.rev) expect(resolved.replaces).toBe(true);
        else {
          const hasSeenBase = op.base_rev >= last.base_rev;
          expect(resolved.replaces).toBe(resolved.own_at >= (hasSeenBase ? last.own_at : last.at));
        }
        // An operation never replaces a value with a later effective time.
        if (resolved.replaces) expect(resolved.at >= last.at).toBe(true);
      }),
    );
  });

  it('replaces earlier edits of the same phone regardless of its clock', () => {
    const clock = fc.array(time, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyWritten, clock, (first, times) => {
        // The phone's clock may be wrong, but it doesn't run backward.
        const ops = times.toSorted((a, b) => a.getTime() - b.getTime());
        let last: RegisterWrite = first;
        for (const editedAt of ops) {
          // The phone has only seen the first value, because it hasn't synced between its edits.
          const op = { base_rev: first.rev, at: editedAt };
          const { replaces, ...resolved } = resolveConflict(last, op, noon);
          expect(replaces).toBe(true);
          last = { rev: last.rev + 1, base_rev: op.base_rev, ...resolved };
        }
      }),
    );
  });

  it('wins over concurrent operations on the same base if it is the latest, regardless of arrival order', () => {
    const offsets = fc.uniqueArray(fc.nat(1e9), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.option(anyWritten), offsets, (first, ms) => {
        const base_rev = first?.rev ?? 0;
        let last: RegisterWrite | null = first;
        for (const [index, msBeforeNoon] of ms.entries()) {
          const op = { base_rev, at: new Date(noon.getTime() - msBeforeNoon) };
          const { replaces, ...resolved } = resolveConflict(last, op, noon);
          if (replaces) last = { rev: base_rev + index + 1, base_rev, ...resolved };
        }
        expect(last?.own_at).toEqual(new Date(noon.getTime() - Math.min(...ms)));
      }),
    );
  });
});
