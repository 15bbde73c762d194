import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_FRAME_BYTES, CALL_FRAME_MS, CallMeter, CallSpeakers, mixCall } from './call.ts';

const FRAME = 1600;

/** Levels of constant-amplitude frames. Cached by amplitude, because measuring is the slowest part. */
const knownLevels = new Map<number, number>();
function getLevel(amplitude: number): number {
  const known = knownLevels.get(amplitude);
  if (known !== undefined) return known;
  const frame = Int16Array.from({ length: FRAME }, (_, n) => (n % 2 ? 1 : -1) * amplitude);
  const [level = 0] = new CallMeter().push(frame, new Int16Array(FRAME));
  knownLevels.set(amplitude, level);
  return level;
}

const measure = (microphone: readonly number[], others: readonly number[]) =>
  Uint8Array.from(microphone.flatMap((mine, n) => [getLevel(mine), getLevel(others[n] ?? 0)]));

describe('CallMeter', () => {
  it('measures on a logarithmic scale', () => {
    // Full scale, half scale (-6 dB), the smallest amplitude (-90 dB), and silence.
    expect([32_767, 16_384, 1, 0].map(getLevel)).toEqual([255, 239, 15, 0]);
  });

  it('returns the same levels however the input is split', () => {
    const sample = fc.integer({ min: -32_768, max: 32_767 });
    const part = fc.integer({ min: 1, max: 2000 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), sample, sample, (parts, a, b) => {
        const length = parts.reduce((sum, size) => sum + size, 0);
        const microphone = Int16Array.from({ length }, (_, n) => (n * a) % 32_768);
        const others = Int16Array.from({ length }, (_, n) => (n * b) % 32_768);
        const meter = new CallMeter();
        let position = 0;
        const bytes = parts.flatMap((size) => {
          const [from, to] = [position, position + size];
          position = to;
          return [...meter.push(microphone.subarray(from, to), others.subarray(from, to))];
        });
        expect(bytes).toEqual([...new CallMeter().push(microphone, others)]);
        expect(bytes).toHaveLength(Math.floor(length / FRAME) * CALL_FRAME_BYTES);
      }),
    );
  });
});

describe('mixCall', () => {
  it('adds the inputs and clips the sum', () => {
    const mixed = mixCall(Int16Array.of(1, 30_000, -30_000), Int16Array.of(2, 30_000, -30_000));
    expect([...mixed]).toEqual([3, 32_767, -32_768]);
  });
});

describe('CallSpeakers', () => {
  /** Speech loudness, varying from frame to frame as it does from syllable to syllable. */
  const syllables = [1, 0.5, 0.8, 0.3, 0.9, 0.6];
  const turns = fc
    .array(fc.record({ frames: fc.integer({ min: 4, max: 20 }) }), { minLength: 6, maxLength: 16 })
    .map((list) =>
      list.map(({ frames }, index) => ({ frames, speaker: index % 2 ? 'others' : 'me' }) as const),
    );
  const pause = 5;

  /** Simulates a call with pauses between turns. @returns its levels, and each turn's start and end in seconds */
  function call(
    list: readonly { frames: number; speaker: 'me' | 'others' }[],
    { mine, theirs, noise, echo }: { mine: number; theirs: number; noise: number; echo: number },
  ) {
    const microphone: number[] = [];
    const others: number[] = [];
    const spokenTurns: { start: number; end: number; speaker: 'me' | 'others' }[] = [];
    for (const { frames, speaker } of list) {
      for (let frame = 0; frame < pause; frame += 1) {
        microphone.push(noise);
        others.push(0);
      }
      const start = (others.length * CALL_FRAME_MS) / 1000;
      for (let frame = 0; frame < frames; frame += 1) {
        const syllable = syllables[frame % syllables.length] as number;
        const theirVoice = speaker === 'others' ? theirs * syllable : 0;
        others.push(theirVoice);
        microphone.push(noise + (speaker === 'me' ? mine * syllable : theirVoice * echo));
      }
      spokenTurns.push({ start, end: (others.length * CALL_FRAME_MS) / 1000, speaker });
    }
    return { levels: measure(microphone, others), spoken: spokenTurns };
  }

  it.each([
    ['equal loudness', { mine: 8000, theirs: 8000, noise: 20, echo: 0 }],
    ['a quiet microphone', { mine: 800, theirs: 16_000, noise: 10, echo: 0 }],
    ['a quiet meeting', { mine: 16_000, theirs: 800, noise: 20, echo: 0 }],
    ['loudspeaker echo', { mine: 8000, theirs: 8000, noise: 20, echo: 0.5 }],
    ["an echo louder than the user's voice", { mine: 3000, theirs: 16_000, noise: 20, echo: 0.5 }],
  ])("finds every word's speaker despite %s", (_, voices) => {
    fc.assert(
      fc.property(turns, (list) => {
        const { levels, spoken } = call(list, voices);
        const speakers = new CallSpeakers(levels);
        for (const { start, end, speaker } of spoken) {
          for (let offset = start; offset + 0.3 <= end; offset += 0.3) {
            expect(speakers.speakerBetween(offset, offset + 0.3)).toBe(speaker);
          }
        }
      }),
    );
  });

  it('never mistakes a silent microphone’s noise for the user', () => {
    const others = Array.from({ length: 60 }, (_, n) =>
      n % 10 < 6 ? 9000 * (syllables[n % 6] ?? 0) : 0,
    );
    const speakers = new CallSpeakers(
      measure(
        others.map(() => 60),
        others,
      ),
    );
    for (let frame = 0; frame < 60; frame += 1) {
      expect(speakers.speakerBetween(frame / 10, frame / 10 + 0.1)).not.toBe('me');
    }
  });

  it('returns null for silence and after the end', () => {
    const speakers = new CallSpeakers(measure([0, 0], [0, 9000]));
    expect(speakers.speakerBetween(0, 0.1)).toBeNull();
    expect(speakers.speakerBetween(0.1, 0.1)).toBe('others');
    expect(speakers.speakerBetween(5, 6)).toBeNull();
    expect(new CallSpeakers(new Uint8Array()).speakerBetween(0, 1)).toBeNull();
  });

  it('returns a result for any bytes and any interval', () => {
    const seconds = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), seconds, seconds, (levels, start, length) => {
        const speaker = new CallSpeakers(levels).speakerBetween(start, start + length);
        expect(['me', 'others', null]).toContain(speaker);
      }),
    );
  });
});
