import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divide, halve } from './parts.ts';

describe('a long transcript', () => {
  it('is divided in order without cutting or losing paragraphs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 50 })),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 3 }),
        (pieces, limit, atLeast) => {
          const parts = divide(pieces, ({ length }) => length, limit, atLeast);
          expect(parts.flat()).toEqual(pieces);
          for (const part of parts.slice(0, -1))
            expect(part.length).toBeGreaterThanOrEqual(atLeast);
        },
      ),
    );
  });

  it.each([
    ['sentences', 'The lighthouse is white. '],
    ['words', 'lighthouse '],
    ['sentences without spaces', '灯塔是白色的。'],
    ['letters alone', 'a'],
    ['emoji alone', '👩‍👩‍👧'],
  ])('is halved at a boundary of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(600 / piece.length));
    const [first = '', second = ''] = halve(text) ?? [];
    expect(first + second).toBe(text);
    expect(first.trim().endsWith(piece.trim())).toBe(true);
    expect(second.trim().startsWith(piece.trim())).toBe(true);
    expect(Math.abs(first.length - second.length)).toBeLessThanOrEqual(2 * piece.length);
    expect(halve(piece)).toBeNull();
  });
});
