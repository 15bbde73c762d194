import { PacketEncoder } from '../convert.ts';
import { toGranules } from '../format.ts';
import { OggOpusMuxer } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import { OggSamples } from '../samples/index.ts';
import { NoiseReducer } from './noise-reducer.ts';
import type { RnnoiseModule } from './rnnoise.ts';

export type NoiseReduction = {
  readonly opus: OpusModule;
  readonly rnnoise: RnnoiseModule;
  /** The bytes of the master (Ogg Opus), in pieces of any size. */
  readonly source: AsyncIterable<Uint8Array>;
  /** The master's size in bytes, for progress reports. */
  readonly size: number;
  /** Writes the next bytes of the denoised file. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** Called with the fraction of the master processed so far, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Creates the denoised version of a recording, as Ogg Opus in the recorder's format. It has exactly as many samples as
 * the original. Memory use is constant, and an hour of audio takes about a minute.
 * @throws AudioFailure as for {@link OggSamples.end}, or `rnnoise-invalid`
 * @throws `signal.reason` if aborted
 * @throws errors from `source` or `write`
 */
export async function reduceNoise(reduction: NoiseReduction): Promise<void> {
  const { opus, rnnoise, source, size, write, onProgress, signal } = reduction;
  const reader = new OggSamples(opus);
  const reducer = new NoiseReducer(rnnoise);
  const encoder = new PacketEncoder(opus);
  const muxer = new OggOpusMuxer();
  try {
    await write(muxer.header());
    let bytesRead = 0;
    let sampleCount = 0;
    const writeSamples = async (samples: Int16Array) => {
      sampleCount += samples.length;
      await write(muxer.push(encoder.push(samples)));
    };
    for await (const bytes of source) {
      signal.throwIfAborted();
      for (const samples of reader.push(bytes)) await writeSamples(reducer.push(samples));
      bytesRead += bytes.length;
      onProgress(Math.min(1, bytesRead / size));
    }
    signal.throwIfAborted();
    for (const samples of reader.end()) await writeSamples(reducer.push(samples));
    await writeSamples(reducer.end());
    await write(muxer.push(encoder.end()));
    await write(muxer.end(toGranules(sampleCount)));
  } finally {
    reader.free();
    reducer.free();
    encoder.free();
  }
}
