import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlap, Timeline } from './timeline.ts';

const stretch = fc
  .record({ start: fc.nat(50), length: fc.nat(9) })
  .map(({ start, length }) => ({ start, end: start + length }));

it('finds all items in a time range, in any order', () => {
  fc.assert(
    fc.property(fc.array(stretch), stretch, (items, one) => {
      expect(new Timeline(items).at(one)).toEqual(items.filter((item) => overlap(item, one) > 0));
    }),
  );
});
