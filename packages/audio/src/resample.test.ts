import { describe, expect, it } from 'vitest';
import { createMonoStream } from './resample.ts';

/** Converts samples through a stream, `frames` frames at a time. */
function toMono(
  samples: Int16Array,
  channels: number,
  rate: number,
  target: number,
  framesPerPart = samples.length,
): Int16Array {
  const stream = createMonoStream(channels, rate, target);
  const parts = [];
  for (let offset = 0; offset < samples.length; offset += framesPerPart * channels) {
    parts.push(stream.push(samples.subarray(offset, offset + framesPerPart * channels)));
  }
  return Int16Array.from([...parts, stream.end()].flatMap((part) => [...part]));
}

const tone = (hertz: number, rate: number, seconds = 0.5) =>
  Int16Array.from({ length: rate * seconds }, (_, n) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hertz * n) / rate)),
  );
/** Returns the root mean square, ignoring the edges, where the filter picks up the silence around the signal. */
const level = (samples: Int16Array) => {
  const middle = samples.subarray(1000, samples.length - 1000);
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length);
};

describe('createMonoStream', () => {
  it('leaves 16 kHz mono unchanged', () => {
    const samples = tone(440, 16_000);
    expect(toMono(samples, 1, 16_000, 16_000)).toEqual(samples);
  });

  it('averages channels', () => {
    expect(toMono(Int16Array.of(100, 300, -200, -400), 2, 16_000, 16_000)).toEqual(
      Int16Array.of(200, -300),
    );
  });

  it.each([8_000, 22_050, 44_100, 48_000])(
    'preserves a tone at %i Hz, sample by sample',
    (rate) => {
      const output = toMono(tone(1000, rate), 1, rate, 16_000);
      const expected = tone(1000, 16_000);
      expect(Math.abs(output.length - expected.length)).toBeLessThanOrEqual(1);
      for (let n = 1000; n < 7000; n += 1) {
        expect(Math.abs((output[n] ?? 0) - (expected[n] ?? 0))).toBeLessThan(60);
      }
    },
  );

  it.each([
    [8_000, 1],
    [44_100, 2],
    [48_000, 1],
    [96_000, 3],
  ])(
    'returns the same samples however the input is split, at %i Hz with %i channels',
    (rate, channels) => {
      const samples = tone(300, rate, 0.1);
      const input = samples.subarray(0, samples.length - (samples.length % channels));
      const completeOutput = toMono(input, channels, rate, 16_000);
      expect(completeOutput.length).toBe(Math.floor(((input.length / channels) * 16_000) / rate));
      for (const framesPerPart of [1, 7, 100, 1000]) {
        expect(toMono(input, channels, rate, 16_000, framesPerPart)).toEqual(completeOutput);
      }
    },
  );

  it('prevents aliasing', () => {
    const output = toMono(tone(11_000, 48_000), 1, 48_000, 16_000);
    expect(level(output)).toBeLessThan(level(tone(11_000, 48_000)) / 1000);
  });
});
