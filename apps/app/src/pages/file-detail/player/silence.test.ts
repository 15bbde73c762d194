import { describe, expect, it } from 'vitest';
import { findSilences, hasWordIn } from './silence.ts';

const step = 0.1;
/** Generates levels for sections given as [seconds, amplitude]. */
const levels = (...stretches: [number, number][]) =>
  Float32Array.from(
    stretches.flatMap(([seconds, level]) => Array(Math.round(seconds / step)).fill(level)),
  );
const roundTimes = (silences: { from: number; to: number }[]) =>
  silences.map(({ from, to }) => [Number(from.toFixed(2)), Number(to.toFixed(2))]);

describe('findSilences', () => {
  it('returns long quiet sections, shortened by a margin at both ends', () => {
    const sound = levels([2, 0.3], [3, 0.001], [2, 0.3]);
    expect(roundTimes(findSilences(sound, step, 10))).toEqual([[12.25, 14.75]]);
  });
  it('ignores pauses within speech', () => {
    expect(findSilences(levels([2, 0.3], [1, 0.001], [2, 0.3]), step, 0)).toEqual([]);
  });
  it('finds silence at the end, despite room noise', () => {
    const sound = levels([2, 0.2], [3, 0.005]);
    expect(roundTimes(findSilences(sound, step, 0))).toEqual([[2.25, 4.75]]);
  });
  it('ignores soft, even speech', () => {
    expect(findSilences(levels([10, 0.02]), step, 0)).toEqual([]);
    expect(findSilences(levels([3, 0.3], [4, 0.015], [3, 0.3]), step, 0)).toEqual([]);
  });
  it('detects transcribed words within a silence', () => {
    const word = { text: 'yes', start: 12, end: 12.4, confidence: 0.4 };
    const paragraph = { id: 'p', start_time: 5, end_time: 30, content: 'yes', is_tag: 0 } as const;
    const silence = { from: 12.25, to: 14 };
    expect(hasWordIn(silence, [{ ...paragraph, words: [word] }])).toBe(true);
    expect(hasWordIn({ from: 13, to: 14 }, [{ ...paragraph, words: [word] }])).toBe(false);
    expect(hasWordIn(silence, [paragraph])).toBe(true);
    expect(hasWordIn({ from: 31, to: 34 }, [paragraph])).toBe(false);
  });
});
