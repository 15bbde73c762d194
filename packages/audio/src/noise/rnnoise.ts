import { AudioFailure } from '../failure.ts';
import { instantiate, type LinearMemory } from '../web-assembly.ts';

/** Sample rate of RNNoise's training data, in hertz. */
export const NOISE_RATE = 48_000;

/** Samples of one frame, 10 ms (rnnoise's FRAME_SIZE). */
export const NOISE_FRAME = 480;

/** Delay of the output in samples: each frame overlaps the previous one. */
export const NOISE_DELAY = NOISE_FRAME;

/**
 * Exports of the `@jitsi/rnnoise-wasm` build. Its optimizer shortened the names; its glue code maps them.
 */
type RnnoiseExports = {
  readonly c: LinearMemory;
  /** Constructors of the C library. Call once, first. */
  d(): void;
  /** rnnoise_create: a state, with the built-in model for null. */
  f(model: number): number;
  /** malloc */
  g(bytes: number): number;
  /** rnnoise_destroy */
  h(state: number): void;
  /** rnnoise_process_frame: floats on the scale of 16-bit samples. @returns the probability of voice, 0–1 */
  j(state: number, out: number, input: number): number;
};

/** Denoises audio in frames of 10 ms and keeps state between frames. */
export type Denoiser = {
  /**
   * @param frame 480 samples at 48 kHz, mono, on the scale of 16-bit samples
   * @returns the 480 previous samples, denoised; a view that the next call overwrites
   * @throws AudioFailure `rnnoise-invalid`
   */
  process(frame: Float32Array): Float32Array;
  free(): void;
};

/** An instance of RNNoise. Its denoisers share its memory. */
export type RnnoiseModule = { createDenoiser(): Denoiser };

/**
 * Instantiates RNNoise (BSD 3-clause, by Jean-Marc Valin and others; this build Apache 2.0, by 8x8 for
 * Jitsi).
 * @param wasm the bytes of `@jitsi/rnnoise-wasm/dist/rnnoise.wasm`
 * @throws AudioFailure `rnnoise-invalid`
 */
export async function loadRnnoise(wasm: Uint8Array<ArrayBuffer>): Promise<RnnoiseModule> {
  const lib: RnnoiseExports = await instantiate<RnnoiseExports>(wasm, {
    a: {
      // Memory growth is refused: the initial 16 MB hold hundreds of states.
      a: () => 0,
      // memcpy of half a kilobyte or more
      b: (to, from, count) => new Uint8Array(lib.c.buffer).copyWithin(to, from, from + count),
    },
  });
  lib.d();
  const allocated = (pointer: number, call: string): number => {
    if (pointer === 0) throw new AudioFailure('rnnoise-invalid', `${call}: out of memory`);
    return pointer;
  };
  // Scratch space shared by all denoisers of this instance: calls never interleave.
  const at = allocated(lib.g(NOISE_FRAME * 4), 'malloc');
  const scratch = new Float32Array(lib.c.buffer, at, NOISE_FRAME);

  return {
    createDenoiser() {
      const state = allocated(lib.f(0), 'rnnoise_create');
      return {
        process(frame) {
          if (frame.length !== NOISE_FRAME) {
            throw new AudioFailure('rnnoise-invalid', `${frame.length} samples instead of 480`);
          }
          scratch.set(frame);
          lib.j(state, at, at);
          return scratch;
        },
        free: () => lib.h(state),
      };
    },
  };
}
