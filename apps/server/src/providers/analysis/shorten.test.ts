import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';

it('never splits a character or exceeds the maximum length', () => {
  const bird = '\u{1F426}';
  expect(shorten(bird.repeat(5), 4)).toBe(`${bird}\u2026`);
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 20 }),
      (text, length) => {
        const short = shorten(text, length);
        expect(short.length).toBeLessThanOrEqual(length);
        expect(short.isWellFormed()).toBe(true);
      },
    ),
  );
});
