import { AudioFailure } from '../failure.ts';
import { detectAudioKind } from '../kind.ts';
import type { OpusModule } from '../opus/index.ts';
import { layoutOf } from './chunk-layout.ts';
import { OggSamples } from './ogg-samples.ts';
import { WaveSamples } from './wave-samples.ts';

/** Converts an audio file that is read piece by piece to samples (16 kHz, mono), in small batches. */
export type SampleReader = {
  /**
   * Yields the samples available so far. The caller must iterate to the end before reusing the bytes.
   * @param bytes the next bytes of the file, which may be split anywhere
   * @throws AudioFailure
   */
  push(bytes: Uint8Array): Iterable<Int16Array>;
  /** Yields the last samples, after all bytes have been passed. @throws AudioFailure if the file is incomplete */
  end(): Iterable<Int16Array>;
  free(): void;
};

/**
 * Creates a reader for a file, whose format is detected from its first bytes.
 * @param maxSamples reading fails with `too-long` if the file has more samples than this
 * @param beginning as in {@link detectAudioKind}
 * @throws AudioFailure `not-wave` for a file that is neither Ogg Opus nor WAV nor AIFF
 */
export function createSampleReader(
  beginning: Uint8Array,
  opus: OpusModule,
  maxSamples: number,
): SampleReader {
  const isWave = layoutOf(beginning) !== null;
  if (!isWave && detectAudioKind(beginning)?.id !== 'opus') {
    throw new AudioFailure('not-wave', 'neither Ogg Opus nor WAV');
  }
  return limitSamples(isWave ? new WaveSamples() : new OggSamples(opus), maxSamples);
}

function limitSamples(reader: SampleReader, maxSamples: number): SampleReader {
  let remainingSamples = maxSamples;
  function* withinBudget(batches: Iterable<Int16Array>): Generator<Int16Array> {
    for (const samples of batches) {
      remainingSamples -= samples.length;
      if (remainingSamples < 0)
        throw new AudioFailure('too-long', `more than ${maxSamples} samples`);
      yield samples;
    }
  }
  return {
    push: (bytes) => withinBudget(reader.push(bytes)),
    end: () => withinBudget(reader.end()),
    free: () => reader.free(),
  };
}
