import { describe, expect, it } from 'vitest';
import { barHeights, barPath, levelHeight } from './bars.ts';

describe('barHeights', () => {
  it('returns the requested number of bars for any length', () => {
    for (const length of [0, 1, 5, 14, 1000]) {
      const heights = barHeights(new Uint8Array(length).fill(90), 14);
      expect(heights).toHaveLength(14);
      for (const height of heights) expect(height).toBeGreaterThan(0);
      for (const height of heights) expect(height).toBeLessThanOrEqual(1);
    }
  });

  it('reaches full height at the loudest moment, except in near silence', () => {
    expect(Math.max(...barHeights(Uint8Array.of(10, 60, 20, 5), 4))).toBe(1);
    expect(Math.max(...barHeights(Uint8Array.of(2, 3, 2, 1), 4))).toBeLessThan(0.5);
  });

  it('preserves chronological order', () => {
    const heights = barHeights(Uint8Array.of(0, 0, 255, 255), 2);
    expect(heights[1]).toBeGreaterThan(heights[0] ?? 1);
  });
});

describe('barPath', () => {
  it('draws each bar once, vertically centered', () => {
    expect(barPath([1, 0.5], 4, 42)).toBe('M2 1v40M6 11v20');
  });

  it('starts at the given offset', () => {
    expect(barPath([1], 4, 42, 2)).toBe('M10 1v40');
  });
});

describe('levelHeight', () => {
  it('returns full height at the maximum, the height of a dot in silence, and is monotonic in between', () => {
    expect(levelHeight(1)).toBe(1);
    const heights = [0, 0.02, 0.1, 0.3, 1].map(levelHeight);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    expect(new Set(heights).size).toBe(heights.length);
    expect(levelHeight(1 / 255)).toBe(levelHeight(0));
  });
});
