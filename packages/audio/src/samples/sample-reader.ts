import { AudioFailure } from '../failure.ts';
import type { OpusModule } from '../opus/index.ts';
import { OggSamples } from './ogg-samples.ts';
import { WaveSamples } from './wave-samples.ts';

/** Converts the bytes of an audio file incrementally to samples, 16 kHz mono, in small batches. */
export type SampleReader = {
  /**
   * Yields the samples available so far. Iterate to the end before you reuse the bytes.
   * @param bytes the next bytes of the file, split anywhere
   * @throws AudioFailure
   */
  push(bytes: Uint8Array): Iterable<Int16Array>;
  /** Yields the last samples, after all bytes. @throws AudioFailure if the file is incomplete */
  end(): Iterable<Int16Array>;
  free(): void;
};

/** Number of bytes by which {@link sampleReader} detects the format. */
export const MAGIC_BYTES = 4;

/**
 * Returns the reader for a file, given its first bytes.
 * @param maxSamples the budget; reading fails with `too-long` if the file has more samples
 * @throws AudioFailure `not-wave` for a file that is neither Ogg nor RIFF
 */
export function sampleReader(
  beginning: Uint8Array,
  opus: OpusModule,
  maxSamples: number,
): SampleReader {
  const magic = String.fromCharCode(...beginning.subarray(0, MAGIC_BYTES));
  if (magic === 'OggS') return withBudget(new OggSamples(opus), maxSamples);
  if (magic === 'RIFF') return withBudget(new WaveSamples(), maxSamples);
  throw new AudioFailure('not-wave', 'neither Ogg nor RIFF');
}

function withBudget(reader: SampleReader, maxSamples: number): SampleReader {
  let left = maxSamples;
  function* counted(batches: Iterable<Int16Array>): Generator<Int16Array> {
    for (const samples of batches) {
      left -= samples.length;
      if (left < 0) throw new AudioFailure('too-long', `more than ${maxSamples} samples`);
      yield samples;
    }
  }
  return {
    push: (bytes) => counted(reader.push(bytes)),
    end: () => counted(reader.end()),
    free: () => reader.free(),
  };
}
