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
  /** Total bytes of the master, for the progress. */
  readonly size: number;
  /** Stores the next bytes of the denoised recording. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** Called with the processed fraction of the master, 0–1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Denoises a recording into Ogg Opus in the recorder's format, with exactly the same length in samples. Memory use is
 * constant; an hour of audio takes about a minute.
 * @throws AudioFailure `not-ogg`, `not-opus`, `page-corrupt`, `truncated`, `opus-invalid`,
 *   `rnnoise-invalid`; the signal's reason; errors of reading and writing
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
