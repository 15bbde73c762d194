import { describe, expect, it } from 'vitest';
import { noise } from '../../../test/odd-audio.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { PitchMeter } from './sustained-pitch.ts';
import { createTransform } from './transform.ts';

describe('PitchMeter', () => {
  const seconds = 4;
  /** Synthesizes three harmonics of a pitch that varies over time, in hertz. */
  function synthesize(hertzAt: (time: number) => number): Int16Array {
    let phase = 0;
    return Int16Array.from({ length: seconds * SPEECH_SAMPLE_RATE }, (_, index) => {
      phase += hertzAt(index / SPEECH_SAMPLE_RATE) / SPEECH_SAMPLE_RATE;
      return [1, 2, 3].reduce((sum, k) => sum + 4000 * Math.sin(2 * Math.PI * k * phase), 0);
    });
  }
  /** Returns the mean fraction of sustained pitches, ignoring the ends. The audio is read in blocks of an odd size. */
  function meanShare(samples: Int16Array): number {
    const meter = new PitchMeter();
    for (let index = 0; index < samples.length; index += 4321)
      meter.add(samples.subarray(index, index + 4321));
    let sum = 0;
    for (let frame = 50; frame < 350; frame += 1) sum += meter.shareAt(frame) ?? Number.NaN;
    return sum / 300;
  }

  it.each<[string, (time: number) => number]>([
    ['a steady tone', () => 220],
    ['notes of three tenths of a second', (time) => 220 * 2 ** (Math.floor(time / 0.3) / 12)],
    [
      'a violin: a quarter of a semitone up and down',
      (time) => 440 * 2 ** (Math.sin(11 * Math.PI * time) / 48),
    ],
  ])('counts %s as sustained', (_, hertzAt) => {
    expect(meanShare(synthesize(hertzAt))).toBeGreaterThan(0.85);
  });

  it.each<[string, () => Int16Array]>([
    ['a voice that glides an octave a second', () => synthesize((time) => 110 * 2 ** (time % 1))],
    ['a voice that rises and falls', () => synthesize((time) => 150 + 40 * Math.sin(8 * time))],
    ['noise', () => noise(seconds)],
  ])('does not count %s as sustained', (_, make) => {
    expect(meanShare(make())).toBeLessThan(0.35);
  });

  it('reports zero for silence', () => {
    expect(meanShare(new Int16Array(seconds * SPEECH_SAMPLE_RATE))).toBe(0);
  });
});

it('the FFT equals the Fourier transform by definition', () => {
  const size = 64;
  const from = 5;
  const ring = Float64Array.from(noise(1).subarray(0, size));
  const power = createTransform(size)(ring, from);
  for (let line = 0; line < size / 2; line += 1) {
    let [real, imaginary] = [0, 0];
    for (let index = 0; index < size; index += 1) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / size);
      const sample = (ring[(from + index) % size] as number) * hann;
      real += sample * Math.cos((2 * Math.PI * line * index) / size);
      imaginary -= sample * Math.sin((2 * Math.PI * line * index) / size);
    }
    expect(power[line]).toBeCloseTo(real ** 2 + imaginary ** 2, 0);
  }
});
