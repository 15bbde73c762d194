import { describe, expect, it } from 'vitest';
import { isSpokenIn, silences } from './silence.ts';

const step = 0.1;
/** Levels of sections given as [seconds, amplitude]. */
const levels = (...stretches: [number, number][]) =>
  Float32Array.from(
    stretches.flatMap(([seconds, level]) => Array(Math.round(seconds / step)).fill(level)),
  );
const rounded = (found: { from: number; to: number }[]) =>
  found.map(({ from, to }) => [Number(from.toFixed(2)), Number(to.toFixed(2))]);

describe('silence', () => {
  it('is a long quiet section, minus a margin on both sides', () => {
    const sound = levels([2, 0.3], [3, 0.001], [2, 0.3]);
    expect(rounded(silences(sound, step, 10))).toEqual([[12.25, 14.75]]);
  });
  it('excludes pauses within speech', () => {
    expect(silences(levels([2, 0.3], [1, 0.001], [2, 0.3]), step, 0)).toEqual([]);
  });
  it('is found despite room noise, also at the end', () => {
    const sound = levels([2, 0.2], [3, 0.005]);
    expect(rounded(silences(sound, step, 0))).toEqual([[2.25, 4.75]]);
  });
  it('excludes soft, even speech', () => {
    expect(silences(levels([10, 0.02]), step, 0)).toEqual([]);
    expect(silences(levels([3, 0.3], [4, 0.015], [3, 0.3]), step, 0)).toEqual([]);
  });
  it('excludes sections with a transcribed word', () => {
    const word = { text: 'yes', start: 12, end: 12.4, confidence: 0.4 };
    const paragraph = { id: 'p', start_time: 5, end_time: 30, content: 'yes', is_tag: 0 } as const;
    const silence = { from: 12.25, to: 14 };
    expect(isSpokenIn(silence, [{ ...paragraph, words: [word] }])).toBe(true);
    expect(isSpokenIn({ from: 13, to: 14 }, [{ ...paragraph, words: [word] }])).toBe(false);
    expect(isSpokenIn(silence, [paragraph])).toBe(true);
    expect(isSpokenIn({ from: 31, to: 34 }, [paragraph])).toBe(false);
  });
});
