import { SAMPLE_RATE } from '@linnet/audio/format';

/**
 * Creates a tone, which is cheap to transcribe because it contains no speech.
 * @param period samples per period, divided by 2π. Tones with different periods are different recordings.
 * @returns 16-bit samples at `SAMPLE_RATE`
 */
export function createTone(seconds: number, period = 12): Int16Array {
  return Int16Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, index) => 8000 * Math.sin(index / period),
  );
}
