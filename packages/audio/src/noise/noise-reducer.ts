import { SAMPLE_RATE } from '../format.ts';
import { concatSamples, createMonoStream, type MonoStream } from '../resample.ts';
import {
  type Denoiser,
  NOISE_DELAY,
  NOISE_FRAME,
  NOISE_RATE,
  type RnnoiseModule,
} from './rnnoise.ts';

/**
 * Denoises a stream of 16 kHz mono audio. The output has the same length as the input and no delay: RNNoise's delay is
 * dropped at the start.
 */
export class NoiseReducer implements MonoStream {
  readonly #denoiser: Denoiser;
  readonly #up = createMonoStream(1, SAMPLE_RATE, NOISE_RATE);
  readonly #down = createMonoStream(1, NOISE_RATE, SAMPLE_RATE);
  readonly #frame = new Float32Array(NOISE_FRAME);
  /** Number of samples collected for the next frame. */
  #filled = 0;
  /** Number of output samples still to drop because of RNNoise's delay. */
  #samplesToSkip = NOISE_DELAY;

  constructor(rnnoise: RnnoiseModule) {
    this.#denoiser = rnnoise.createDenoiser();
  }

  push(samples: Int16Array): Int16Array {
    return this.#down.push(this.#denoise(this.#up.push(samples)));
  }

  end(): Int16Array {
    const lastSamples = this.#up.end();
    // Append silence to complete the last frame and to flush RNNoise's delay.
    const lastFrameSamples = (this.#filled + lastSamples.length) % NOISE_FRAME;
    const paddingSamples = (NOISE_FRAME - lastFrameSamples) % NOISE_FRAME;
    const padded = new Int16Array(lastSamples.length + paddingSamples + NOISE_DELAY);
    padded.set(lastSamples);
    const denoised = this.#denoise(padded);
    return concatSamples(
      this.#down.push(denoised.subarray(0, denoised.length - paddingSamples)),
      this.#down.end(),
    );
  }

  free(): void {
    this.#denoiser.free();
  }

  /** Returns the denoised samples of all complete frames, without the delay. */
  #denoise(samples: Int16Array): Int16Array {
    const completeSamples = Math.floor((this.#filled + samples.length) / NOISE_FRAME) * NOISE_FRAME;
    const output = new Int16Array(Math.max(0, completeSamples - this.#samplesToSkip));
    const skippedSamples = Math.min(this.#samplesToSkip, completeSamples);
    this.#samplesToSkip -= skippedSamples;
    let outputIndex = -skippedSamples;
    for (let offset = 0; offset < samples.length; ) {
      const count = Math.min(NOISE_FRAME - this.#filled, samples.length - offset);
      this.#frame.set(samples.subarray(offset, offset + count), this.#filled);
      this.#filled += count;
      offset += count;
      if (this.#filled < NOISE_FRAME) break;
      this.#filled = 0;
      for (const sample of this.#denoiser.process(this.#frame)) {
        if (outputIndex >= 0) {
          output[outputIndex] = Math.max(-32_768, Math.min(32_767, Math.round(sample)));
        }
        outputIndex += 1;
      }
    }
    return output;
  }
}
