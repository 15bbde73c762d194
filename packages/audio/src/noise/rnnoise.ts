import { AudioFailure } from '../failure.ts';
import { instantiate, type LinearMemory } from '../web-assembly.ts';

/** Sample rate that RNNoise was trained for, in hertz. */
export const NOISE_RATE = 48_000;

/** Samples per frame of 10 ms (RNNoise's FRAME_SIZE). */
export const NOISE_FRAME = 480;

/** Output delay in samples: one frame, because each frame overlaps the previous one. */
export const NOISE_DELAY = NOISE_FRAME;

/**
 * The exports of the `@jitsi/rnnoise-wasm` build. The build minified the names; the package's glue code shows which
 * function each stands for.
 */
type RnnoiseExports = {
  readonly c: LinearMemory;
  /** Runs the C library's constructors. Must be called once, before any other function. */
  d(): void;
  /** rnnoise_create. @param model 0 for the built-in model @returns the state */
  f(model: number): number;
  /** malloc */
  g(bytes: number): number;
  /** rnnoise_destroy */
  h(state: number): void;
  /** rnnoise_process_frame, with floats scaled like 16-bit samples. @returns the probability of voice, 0–1 */
  j(state: number, out: number, input: number): number;
};

/** Denoises audio in 10 ms frames. It's stateful, so pass all frames of a stream, in order. */
export type Denoiser = {
  /**
   * Denoises one frame.
   * @param frame 480 samples at 48 kHz, mono, scaled like 16-bit samples
   * @returns the denoised samples of the previous frame, as a view that the next call overwrites
   * @throws AudioFailure `rnnoise-invalid`
   */
  process(frame: Float32Array): Float32Array;
  free(): void;
};

/** An RNNoise instance. Its denoisers share one memory. */
export type RnnoiseModule = { createDenoiser(): Denoiser };

/**
 * Instantiates RNNoise. The library is by Jean-Marc Valin and others (BSD 3-clause), the build is by 8x8 for Jitsi
 * (Apache 2.0).
 * @param wasm the bytes of `@jitsi/rnnoise-wasm/dist/rnnoise.wasm`
 * @throws AudioFailure `rnnoise-invalid`
 */
export async function loadRnnoise(wasm: Uint8Array<ArrayBuffer>): Promise<RnnoiseModule> {
  const lib: RnnoiseExports = await instantiate<RnnoiseExports>(wasm, {
    a: {
      // Refuse to grow the memory. The initial 16 MB are enough for hundreds of states.
      a: () => 0,
      // memcpy, which the module imports only for copies of half a kilobyte or more
      b: (to, from, count) => new Uint8Array(lib.c.buffer).copyWithin(to, from, from + count),
    },
  });
  lib.d();
  const checkAllocated = (pointer: number, call: string): number => {
    if (pointer === 0) throw new AudioFailure('rnnoise-invalid', `${call}: out of memory`);
    return pointer;
  };
  // All denoisers of this instance share one scratch buffer, because calls are synchronous and can't interleave.
  const scratchPointer = checkAllocated(lib.g(NOISE_FRAME * 4), 'malloc');
  const scratch = new Float32Array(lib.c.buffer, scratchPointer, NOISE_FRAME);

  return {
    createDenoiser() {
      const state = checkAllocated(lib.f(0), 'rnnoise_create');
      return {
        process(frame) {
          if (frame.length !== NOISE_FRAME) {
            throw new AudioFailure('rnnoise-invalid', `${frame.length} samples instead of 480`);
          }
          scratch.set(frame);
          lib.j(state, scratchPointer, scratchPointer);
          return scratch;
        },
        free: () => lib.h(state),
      };
    },
  };
}
