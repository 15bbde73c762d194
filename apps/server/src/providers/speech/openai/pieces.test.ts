import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_SECONDS } from '../slices.ts';
import { OVERLAP_SECONDS, planPieces } from './pieces.ts';

const frames = (seconds: number) => Math.round(seconds / FRAME_SECONDS);
/** Loudness of speech with a pause of a third of a second every four seconds. */
const speechLoudness = (seconds: number) =>
  Float32Array.from({ length: frames(seconds) }, (_, frame) => (frame % 400 < 33 ? 50 : 2000));
const silence = (seconds: number) => new Float32Array(frames(seconds));
const concatenate = (...parts: Float32Array[]) =>
  Float32Array.from(parts.flatMap((part) => [...part]));

describe('planPieces', () => {
  it('covers all loud frames in order, within the maximum length', () => {
    const anySection = fc.oneof(
      fc.integer({ min: 1, max: 400 }).map(speechLoudness),
      fc.integer({ min: 1, max: 90 }).map(silence),
    );
    fc.assert(
      fc.property(
        fc.array(anySection, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 30, max: 300 }),
        (segments, longest) => {
          const loudness = concatenate(...segments);
          const pieces = planPieces(loudness, undefined, longest);
          let clock = 0;
          const isCovered = new Uint8Array(loudness.length);
          for (const { from, to, audioFrom, audioTo } of pieces) {
            expect(from).toBeGreaterThanOrEqual(clock);
            expect(audioFrom).toBeLessThanOrEqual(from);
            expect(audioTo).toBeGreaterThanOrEqual(to);
            expect(audioTo - audioFrom).toBeLessThanOrEqual(longest + 1e-6);
            isCovered.fill(1, frames(from), frames(to));
            clock = to;
          }
          for (const [frame, value] of loudness.entries()) {
            if (value > 1000 && isCovered[frame] !== 1)
              throw new Error(`frame ${frame} is not covered`);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('cuts at pauses and adds an overlap', () => {
    const pieces = planPieces(speechLoudness(600), undefined, 100);
    expect(pieces.length).toBeGreaterThan(5);
    for (const [index, piece] of pieces.slice(1).entries()) {
      expect(frames(piece.from) % 400).toBeLessThan(33);
      expect((pieces[index]?.audioTo ?? 0) - piece.audioFrom).toBeCloseTo(2 * OVERLAP_SECONDS);
    }
  });

  it('covers only speech segments', () => {
    const segments = [
      { start: 10, end: 20 },
      { start: 25, end: 40 },
      { start: 300, end: 310 },
    ];
    const pieces = planPieces(speechLoudness(600), segments, 100);
    expect(pieces.map(({ from, to }) => [Math.round(from), Math.round(to)])).toEqual([
      [10, 40],
      [300, 310],
    ]);
    expect(planPieces(speechLoudness(600), [], 100)).toEqual([]);
    expect(planPieces(silence(60), undefined, 100)).toEqual([]);
  });
});
