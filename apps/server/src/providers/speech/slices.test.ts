import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributeSlices, LoudnessMeter, planSlices } from './slices.ts';

const LIMITS = { shortest: 8, longest: 20 };

/** Creates the loudness of consecutive segments: [seconds, root mean square]. */
function createLoudness(...segments: [number, number][]): Float32Array {
  return Float32Array.from(
    segments.flatMap(([seconds, value]) => Array<number>(Math.round(seconds * 100)).fill(value)),
  );
}

describe('LoudnessMeter', () => {
  it('measures frames of 10 ms regardless of block sizes', () => {
    const samples = Int16Array.from({ length: 16_000 }, (_, n) => Math.round(3000 * Math.sin(n)));
    const wholeMeter = new LoudnessMeter(16_000);
    wholeMeter.add(samples);
    const blockMeter = new LoudnessMeter(16_000);
    for (let offset = 0; offset < samples.length; offset += 777)
      blockMeter.add(samples.subarray(offset, offset + 777));
    const loudness = wholeMeter.finish();
    expect(blockMeter.finish()).toEqual(loudness);
    expect(loudness).toHaveLength(100);
    for (const value of loudness) expect(value).toBeCloseTo(3000 / Math.SQRT2, -3);
  });

  it('includes a final incomplete frame', () => {
    const meter = new LoudnessMeter(16_000);
    meter.add(new Int16Array(161));
    expect(meter.finish()).toHaveLength(2);
  });
});

describe('planSlices', () => {
  it('does not divide short audio', () => {
    expect(planSlices(createLoudness([20, 1000]), LIMITS)).toEqual([{ from: 0, to: 2000 }]);
  });

  it('cuts in the middle of a pause', () => {
    const [first, second] = planSlices(createLoudness([13, 1000], [0.4, 100], [15, 1000]), LIMITS);
    expect(first?.to).toBeGreaterThan(1300);
    expect(first?.to).toBeLessThan(1340);
    expect(second).toEqual({ from: first?.to, to: 2840 });
  });

  it('skips long digital silence and retains a margin around audio', () => {
    const slices = planSlices(
      createLoudness([30, 0], [5, 800], [60, 0], [5, 800], [30, 0]),
      LIMITS,
    );
    expect(slices).toEqual([
      { from: 2970, to: 3530 },
      { from: 9470, to: 10030 },
    ]);
  });

  it('returns no slices for silence', () => {
    expect(planSlices(createLoudness([60, 0]), LIMITS)).toEqual([]);
    expect(planSlices(new Float32Array(), LIMITS)).toEqual([]);
  });

  const loudness = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.constantFrom(0, 20, 100, 900, 8000)), {
      maxLength: 12,
    })
    .map((parts) =>
      createLoudness(...parts.map(([n, value]) => [n / 100, value] as [number, number])),
    );

  it('covers all audible frames in order, without overlap and within the maximum length', () => {
    fc.assert(
      fc.property(loudness, (levels) => {
        const slices = planSlices(levels, LIMITS);
        let clock = 0;
        for (const { from, to } of slices) {
          expect(from).toBeGreaterThanOrEqual(clock);
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(2000);
          clock = to;
        }
        expect(clock).toBeLessThanOrEqual(levels.length);
        const isCovered = new Uint8Array(levels.length);
        for (const { from, to } of slices) isCovered.fill(1, from, to);
        levels.forEach((level, frame) => {
          if (level >= 33 && isCovered[frame] === 0) throw new Error(`frame ${frame} is lost`);
        });
      }),
    );
  });

  it('covers the speech segments and nothing far from them', () => {
    const seconds = fc.double({ min: 0, max: 130, noNaN: true });
    const segments = fc
      .array(fc.tuple(seconds, seconds), { maxLength: 8 })
      .map((pairs) =>
        pairs
          .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }))
          .sort((a, b) => a.start - b.start),
      );
    fc.assert(
      fc.property(loudness, segments, (levels, speechSegments) => {
        const isCovered = new Uint8Array(levels.length);
        let clock = 0;
        for (const { from, to } of planSlices(levels, LIMITS, speechSegments)) {
          expect(from).toBeGreaterThanOrEqual(clock);
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(2000);
          isCovered.fill(1, from, to);
          clock = to;
        }
        expect(clock).toBeLessThanOrEqual(levels.length);
        const isNear = (frame: number, tolerance: number) =>
          speechSegments.some(
            ({ start, end }) =>
              end > start && frame / 100 >= start - tolerance && frame / 100 < end + tolerance,
          );
        for (const [frame, value] of isCovered.entries()) {
          if (value === 0 && isNear(frame, 0)) throw new Error(`frame ${frame} is lost`);
          if (value === 1 && !isNear(frame, 1.6)) throw new Error(`frame ${frame} is not speech`);
        }
      }),
    );
  });

  it('distributes all slices, keeping each share in chronological order', () => {
    fc.assert(
      fc.property(loudness, fc.integer({ min: 1, max: 8 }), (levels, count) => {
        const slices = planSlices(levels, LIMITS);
        const shares = distributeSlices(slices, count);
        expect(shares.length).toBe(Math.min(count, slices.length));
        const byTime = (a: { from: number }, b: { from: number }) => a.from - b.from;
        expect(shares.flat().sort(byTime)).toEqual(slices);
        for (const share of shares) expect(share).toEqual([...share].sort(byTime));
      }),
    );
  });
});
