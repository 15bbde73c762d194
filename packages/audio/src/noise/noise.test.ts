import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeOggToPcm } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { SAMPLE_RATE } from '../format.ts';
import { demuxOgg } from '../ogg/index.ts';
import { loadOpus, type OpusModule } from '../opus/index.ts';
import { readOpusWasm } from '../opus/wasm-node.ts';
import {
  loadRnnoise,
  NoiseReducer,
  type NoiseReduction,
  type RnnoiseModule,
  reduceNoise,
} from './index.ts';
import { readRnnoiseWasm } from './wasm-node.ts';

/** Synthetic speech: a flite voice, encoded with the recorder's codec. */
const scene = new URL('../../../../apps/virtual-recorder/scenes/microphone.ogg', import.meta.url);

let opus: OpusModule;
let rnnoise: RnnoiseModule;
let master: Uint8Array<ArrayBuffer>;
let speech: Int16Array;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  rnnoise = await loadRnnoise(readRnnoiseWasm());
  master = new Uint8Array(readFileSync(scene));
  speech = decodeOggToPcm(master, opus).subarray(0, 20 * SAMPLE_RATE);
});

/** Returns a seeded generator of pseudo-random numbers from -1 to 1 (mulberry32). */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

const energy = (samples: Iterable<number>) => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum;
};

/** White noise, as from a poor microphone. */
const hiss = (random: () => number) => random;

/** Fan noise, which is louder at low frequencies. */
function fan(random: () => number): () => number {
  let low = 0;
  return () => {
    low = 0.9 * low + random();
    return low + random();
  };
}

/** Returns noise whose level is `decibels` below that of `samples`. */
function noiseFor(samples: Int16Array, kind: typeof hiss, decibels: number): Float64Array {
  const noise = Float64Array.from(samples, kind(randoms(7)));
  const gain = Math.sqrt(energy(samples) / energy(noise) / 10 ** (decibels / 10));
  return noise.map((value) => value * gain);
}

const plus = (samples: Int16Array, noise: Float64Array) =>
  samples.map((sample, n) => Math.max(-32_768, Math.min(32_767, sample + (noise[n] as number))));

/** Returns the ratio of speech to residual in `audio`, in dB, by the best fit of `speech`. */
function speechToRest(audio: Int16Array): number {
  let product = 0;
  for (let n = 0; n < speech.length; n++) product += (speech[n] as number) * (audio[n] as number);
  const gain = product / energy(speech);
  const rest = audio.map((sample, n) => sample - gain * (speech[n] as number));
  return 10 * Math.log10((gain * gain * energy(speech)) / energy(rest));
}

/** Returns the ratio of the level during speech to the level in its pauses, in dB. */
function speechToPauses(audio: Int16Array): number {
  const span = 320;
  const spans = Array.from({ length: Math.floor(speech.length / span) }, (_, index) => index * span)
    .map((at) => ({ at, loudness: energy(speech.subarray(at, at + span)) }))
    .sort((a, b) => a.loudness - b.loudness);
  const part = Math.floor(spans.length / 5);
  const level = (some: typeof spans) =>
    some.reduce((sum, { at }) => sum + energy(audio.subarray(at, at + span)), 0) / some.length;
  return 10 * Math.log10(level(spans.slice(-part)) / level(spans.slice(0, part)));
}

function reduced(samples: Int16Array, part = samples.length): Int16Array {
  const reducer = new NoiseReducer(rnnoise);
  const parts: Int16Array[] = [];
  for (let at = 0; at < samples.length; at += part) {
    parts.push(reducer.push(samples.subarray(at, at + part)));
  }
  parts.push(reducer.end());
  reducer.free();
  return Int16Array.from(parts.flatMap((each) => [...each]));
}

describe('noise reduction', () => {
  it.each([0, 5])('improves speech in noise %i dB below it by at least 6 dB', (decibels) => {
    const noisy = plus(speech, noiseFor(speech, hiss, decibels));
    expect(speechToRest(noisy)).toBeCloseTo(decibels, 0);
    expect(speechToRest(reduced(noisy)) - speechToRest(noisy)).toBeGreaterThan(6);
  });

  it('removes fan noise from pauses', () => {
    const noisy = plus(speech, noiseFor(speech, fan, 5));
    const clean = reduced(noisy);
    expect(speechToPauses(clean) - speechToPauses(noisy)).toBeGreaterThan(15);
    // Speech and fan noise share frequencies, so that noise is reduced less during speech.
    expect(speechToRest(clean) - speechToRest(noisy)).toBeGreaterThan(3);
  });

  it('does not shift the speech', () => {
    const input = speech.subarray(0, 5 * SAMPLE_RATE);
    const output = reduced(input);
    const correlation = (lag: number) => {
      let sum = 0;
      for (let n = 500; n < input.length - 500; n++) {
        sum += (input[n] as number) * (output[n + lag] as number);
      }
      return sum;
    };
    const fits = Array.from({ length: 801 }, (_, index) => correlation(index - 400));
    expect(fits.indexOf(Math.max(...fits)) - 400).toBe(0);
  });

  it('returns as many samples as it receives, in parts of any size', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 1500 }), (length, part) => {
        const samples = speech.subarray(8000, 8000 + length);
        const whole = reduced(samples);
        expect(whole.length).toBe(length);
        expect(reduced(samples, part)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('preserves silence', () => {
    expect(energy(reduced(new Int16Array(3 * SAMPLE_RATE)))).toBe(0);
  });

  it('rejects a wrong number of samples', () => {
    const denoiser = rnnoise.createDenoiser();
    expect(() => denoiser.process(new Float32Array(479))).toThrow(AudioFailure);
    denoiser.free();
  });
});

describe('the denoised version of a master', () => {
  async function* pieces(file: Uint8Array, size: number) {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
  }

  async function clean(file: Uint8Array, changes: Partial<NoiseReduction> = {}) {
    const out: Uint8Array[] = [];
    const progress: number[] = [];
    await reduceNoise({
      opus,
      rnnoise,
      source: pieces(file, 10_007),
      size: file.length,
      write: (bytes) => void out.push(bytes),
      onProgress: (fraction) => void progress.push(fraction),
      signal: new AbortController().signal,
      ...changes,
    });
    return { file: new Uint8Array(Buffer.concat(out)), progress };
  }

  it('has the recorder’s format and exactly the same length', async () => {
    const { file, progress } = await clean(master);
    const [before, after] = [demuxOgg(master), demuxOgg(file)];
    expect(after.granules).toBe(before.granules);
    expect(after.packets.length).toBe(before.packets.length);
    expect(new Set(after.packets.map(({ length }) => length))).toEqual(new Set([160]));
    const pcm = decodeOggToPcm(file, opus);
    expect(pcm.length).toBe(decodeOggToPcm(master, opus).length);
    expect(speechToRest(pcm.subarray(0, speech.length))).toBeGreaterThan(6);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('stops immediately when it is canceled', async () => {
    const control = new AbortController();
    const pieceCount = Math.ceil(master.length / 10_007);
    let seen = 0;
    const onProgress = () => {
      seen += 1;
      if (seen === 3) control.abort(new Error('canceled'));
    };
    await expect(clean(master, { onProgress, signal: control.signal })).rejects.toThrow('canceled');
    expect(seen).toBe(3);
    expect(pieceCount).toBeGreaterThan(4);
  });

  it.each([
    ['truncated', (file: Uint8Array) => file.subarray(0, 40)],
    ['not-ogg', (file: Uint8Array) => file.subarray(1)],
    ['page-corrupt', (file: Uint8Array) => file.map((byte, at) => (at === 9000 ? byte ^ 1 : byte))],
  ])('reports %s for a damaged master', async (code, damage) => {
    await expect(clean(damage(master))).rejects.toMatchObject({ name: 'AudioFailure', code });
  });
});
