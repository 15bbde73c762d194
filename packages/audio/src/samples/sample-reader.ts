import { AudioFailure } from '../failure.ts';
import type { OpusModule } from '../opus/index.ts';
import { OggSamples } from './ogg-samples.ts';
import { WaveSamples } from './wave-samples.ts';

/** Turns the bytes of an audio file, as they come, into samples: 16 kHz mono, in small batches. */
export type SampleReader = {
  /**
   * Yields the samples that are known by now. It has to be iterated to its end; the bytes are free to be reused then.
   * @param bytes the next of the file, cut anywhere. @throws AudioFailure
   */
  push(bytes: Uint8Array): Iterable<Int16Array>;
  /** Yields the last samples, once all bytes came. @throws AudioFailure where the file ends too early */
  end(): Iterable<Int16Array>;
  free(): void;
};

/** Bytes that {@link sampleReader} looks at. */
export const MAGIC_BYTES = 4;

/**
 * The reader for a file that begins so.
 * @param mostSamples the budget: with one sample more, reading ends with `too-long`
 * @throws AudioFailure `not-wave` for what is neither Ogg nor RIFF
 */
export function sampleReader(
  beginning: Uint8Array,
  opus: OpusModule,
  mostSamples: number,
): SampleReader {
  const magic = String.fromCharCode(...beginning.subarray(0, MAGIC_BYTES));
  if (magic === 'OggS') return withBudget(new OggSamples(opus), mostSamples);
  if (magic === 'RIFF') return withBudget(new WaveSamples(), mostSamples);
  throw new AudioFailure('not-wave', 'neither Ogg nor RIFF');
}

function withBudget(reader: SampleReader, mostSamples: number): SampleReader {
  let left = mostSamples;
  function* counted(batches: Iterable<Int16Array>): Generator<Int16Array> {
    for (const samples of batches) {
      left -= samples.length;
      if (left < 0) throw new AudioFailure('too-long', `more than ${mostSamples} samples`);
      yield samples;
    }
  }
  return {
    push: (bytes) => counted(reader.push(bytes)),
    end: () => counted(reader.end()),
    free: () => reader.free(),
  };
}
