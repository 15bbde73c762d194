import { AudioFailure } from '../failure.ts';
import type { OpusModule } from '../opus/index.ts';
import { OggSamples } from './ogg-samples.ts';
import { WaveSamples } from './wave-samples.ts';

/** Turns the bytes of an audio file, as they come, into samples: 16 kHz mono. */
export type SampleReader = {
  /** @param bytes the next of the file, cut anywhere. @throws AudioFailure */
  push(bytes: Uint8Array): Int16Array;
  /** The last samples, once all bytes came. @throws AudioFailure where the file ends too early */
  end(): Int16Array;
  free(): void;
};

/** Bytes that {@link sampleReader} looks at. */
export const MAGIC_BYTES = 4;

/**
 * The reader for a file that begins so.
 * @throws AudioFailure `not-wave` for what is neither Ogg nor RIFF
 */
export function sampleReader(beginning: Uint8Array, opus: OpusModule): SampleReader {
  const magic = String.fromCharCode(...beginning.subarray(0, MAGIC_BYTES));
  if (magic === 'OggS') return new OggSamples(opus);
  if (magic === 'RIFF') return new WaveSamples();
  throw new AudioFailure('not-wave', 'neither Ogg nor RIFF');
}
