import { PacketEncoder } from '../convert.ts';
import { granulesOf } from '../format.ts';
import { OggOpusMuxer } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import { OggSamples } from '../samples/index.ts';
import { NoiseReducer } from './noise-reducer.ts';
import type { RnnoiseModule } from './rnnoise.ts';

export type NoiseReduction = {
  readonly opus: OpusModule;
  readonly rnnoise: RnnoiseModule;
  /** The master, Ogg Opus, in pieces of any size. */
  readonly source: AsyncIterable<Uint8Array>;
  /** Bytes of the whole master, for the progress. */
  readonly size: number;
  /** Stores what comes next of the cleaner recording. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** Told how much of the master went through, 0–1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Makes the cleaner version of a recording: Ogg Opus like the recorder's, of the same length to the
 * sample. It takes the same memory however long the recording is, about a minute's work for an hour.
 * @throws AudioFailure `not-ogg`, `not-opus`, `page-corrupt`, `truncated`, `opus-invalid`,
 *   `rnnoise-invalid`; the signal's reason; whatever reading and writing throw
 */
export async function reduceNoise(reduction: NoiseReduction): Promise<void> {
  const { opus, rnnoise, source, size, write, onProgress, signal } = reduction;
  const reader = new OggSamples(opus);
  const reducer = new NoiseReducer(rnnoise);
  const encoder = new PacketEncoder(opus);
  const muxer = new OggOpusMuxer();
  try {
    await write(muxer.header());
    let read = 0;
    let written = 0;
    const pass = async (clean: Int16Array) => {
      written += clean.length;
      await write(muxer.push(encoder.push(clean)));
    };
    for await (const bytes of source) {
      signal.throwIfAborted();
      for (const samples of reader.push(bytes)) await pass(reducer.push(samples));
      read += bytes.length;
      onProgress(Math.min(1, read / size));
    }
    signal.throwIfAborted();
    for (const samples of reader.end()) await pass(reducer.push(samples));
    await pass(reducer.end());
    await write(muxer.push(encoder.end()));
    await write(muxer.end(granulesOf(written)));
  } finally {
    reader.free();
    reducer.free();
    encoder.free();
  }
}
