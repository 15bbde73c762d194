import fc from 'fast-check';
import { expect, it } from 'vitest';
import { snapToPoint } from './wave-points.ts';

const times = fc.double({ min: 0, max: 36_000, noNaN: true });

it('snaps to the nearest point, but only within the tolerance', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ time: times })),
      times,
      fc.double({ min: 0, max: 600, noNaN: true }),
      (points, time, tolerance) => {
        const snapped = snapToPoint(points, time, tolerance);
        const distances = points.map((point) => Math.abs(point.time - time));
        const nearest = Math.min(...distances);
        if (nearest > tolerance) expect(snapped).toBe(time);
        else expect(Math.abs(snapped - time)).toBe(nearest);
      },
    ),
  );
});
