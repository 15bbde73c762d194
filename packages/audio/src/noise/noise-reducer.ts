import { SAMPLE_RATE } from '../format.ts';
import { joined, type MonoStream, monoStream } from '../resample.ts';
import {
  type Denoiser,
  NOISE_DELAY,
  NOISE_FRAME,
  NOISE_RATE,
  type RnnoiseModule,
} from './rnnoise.ts';

/**
 * Denoises a stream of 16 kHz mono audio. The output has as many samples as the input, without delay.
 */
export class NoiseReducer implements MonoStream {
  readonly #denoiser: Denoiser;
  readonly #up = monoStream(1, SAMPLE_RATE, NOISE_RATE);
  readonly #down = monoStream(1, NOISE_RATE, SAMPLE_RATE);
  readonly #frame = new Float32Array(NOISE_FRAME);
  /** Number of samples in the incomplete frame. */
  #filled = 0;
  /** Samples of the delay that remain to be dropped. */
  #toSkip = NOISE_DELAY;

  constructor(rnnoise: RnnoiseModule) {
    this.#denoiser = rnnoise.createDenoiser();
  }

  push(samples: Int16Array): Int16Array {
    return this.#down.push(this.#denoise(this.#up.push(samples)));
  }

  end(): Int16Array {
    const rest = this.#up.end();
    // Silence flushes the incomplete frame and the delay.
    const flush =
      NOISE_DELAY + ((NOISE_FRAME - ((this.#filled + rest.length) % NOISE_FRAME)) % NOISE_FRAME);
    const padded = new Int16Array(rest.length + flush);
    padded.set(rest);
    const extra = flush - NOISE_DELAY;
    const clean = this.#denoise(padded);
    return joined(this.#down.push(clean.subarray(0, clean.length - extra)), this.#down.end());
  }

  free(): void {
    this.#denoiser.free();
  }

  /** @returns the samples of the frames completed so far, without the delay */
  #denoise(samples: Int16Array): Int16Array {
    const whole = Math.floor((this.#filled + samples.length) / NOISE_FRAME) * NOISE_FRAME;
    const out = new Int16Array(Math.max(0, whole - this.#toSkip));
    let at = -Math.min(this.#toSkip, whole);
    this.#toSkip -= Math.min(this.#toSkip, whole);
    for (let from = 0; from < samples.length; ) {
      const count = Math.min(NOISE_FRAME - this.#filled, samples.length - from);
      this.#frame.set(samples.subarray(from, from + count), this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled < NOISE_FRAME) break;
      this.#filled = 0;
      for (const sample of this.#denoiser.process(this.#frame)) {
        if (at >= 0) out[at] = Math.max(-32_768, Math.min(32_767, Math.round(sample)));
        at += 1;
      }
    }
    return out;
  }
}
