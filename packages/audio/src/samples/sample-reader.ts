import { AudioFailure } from '../failure.ts';
import { detectAudioKind } from '../kind.ts';
import type { OpusModule } from '../opus/index.ts';
import { findLayout } from './chunk-layout.ts';
import { OggSamples } from './ogg-samples.ts';
import { WaveSamples } from './wave-samples.ts';

/** Converts an audio file to samples (16 kHz, mono) piece by piece, in small batches. */
export type SampleReader = {
  /**
   * Yields the samples available so far. The caller must iterate to the end before reusing `bytes`.
   * @param bytes the next bytes of the file, which may be split anywhere
   * @throws AudioFailure
   */
  push(bytes: Uint8Array): Iterable<Int16Array>;
  /** Yields the last samples. Call after all bytes have been pushed. @throws AudioFailure if the file is incomplete */
  end(): Iterable<Int16Array>;
  free(): void;
};

/**
 * Creates a reader for a file. The format is detected from the first bytes.
 * @param maxSamples reading fails with `too-long` if the file has more samples
 * @param beginning as for {@link detectAudioKind}
 * @throws AudioFailure `not-wave` for a file that isn't Ogg Opus, WAV or AIFF
 */
export function createSampleReader(
  beginning: Uint8Array,
  opus: OpusModule,
  maxSamples: number,
): SampleReader {
  const isWave = findLayout(beginning) !== null;
  if (!isWave && detectAudioKind(beginning)?.id !== 'opus') {
    throw new AudioFailure('not-wave', 'not an Ogg Opus, WAV or AIFF file');
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
