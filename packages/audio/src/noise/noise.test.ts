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

/** Synthetic speech from a flite voice, encoded with the recorder's codec. */
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
function createRandom(seed: number): () => number {
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

/** Returns a generator of white noise, such as a poor microphone produces. */
const whiteNoise = (random: () => number) => random;

/** Returns a generator of fan noise, louder at low frequencies. */
function fanNoise(random: () => number): () => number {
  let lowSample = 0;
  return () => {
    lowSample = 0.9 * lowSample + random();
    return lowSample + random();
  };
}

/** Returns noise whose level is `decibels` below the level of `samples`. */
function noiseFor(samples: Int16Array, kind: typeof whiteNoise, decibels: number): Float64Array {
  const noise = Float64Array.from(samples, kind(createRandom(7)));
  const gain = Math.sqrt(energy(samples) / energy(noise) / 10 ** (decibels / 10));
  return noise.map((value) => value * gain);
}

const mix = (samples: Int16Array, noise: Float64Array) =>
  samples.map((sample, n) => Math.max(-32_768, Math.min(32_767, sample + (noise[n] as number))));

/**
 * Returns the ratio of speech to everything else in `audio`, in dB. Finds the speech's gain by fitting `speech` to
 * `audio`.
 */
function signalToResidual(audio: Int16Array): number {
  let product = 0;
  for (let n = 0; n < speech.length; n++) product += (speech[n] as number) * (audio[n] as number);
  const gain = product / energy(speech);
  const residual = audio.map((sample, n) => sample - gain * (speech[n] as number));
  return 10 * Math.log10((gain * gain * energy(speech)) / energy(residual));
}

/** Returns the ratio of the level during speech to the level during pauses, in dB. */
function speechToPauses(audio: Int16Array): number {
  const span = 320;
  const spans = Array.from({ length: Math.floor(speech.length / span) }, (_, index) => index * span)
    .map((offset) => ({ offset, loudness: energy(speech.subarray(offset, offset + span)) }))
    .sort((a, b) => a.loudness - b.loudness);
  const part = Math.floor(spans.length / 5);
  const level = (selected: typeof spans) =>
    selected.reduce((sum, { offset }) => sum + energy(audio.subarray(offset, offset + span)), 0) /
    selected.length;
  return 10 * Math.log10(level(spans.slice(-part)) / level(spans.slice(0, part)));
}

function reduceAll(samples: Int16Array, partSize = samples.length): Int16Array {
  const reducer = new NoiseReducer(rnnoise);
  const parts: Int16Array[] = [];
  for (let offset = 0; offset < samples.length; offset += partSize) {
    parts.push(reducer.push(samples.subarray(offset, offset + partSize)));
  }
  parts.push(reducer.end());
  reducer.free();
  return Int16Array.from(parts.flatMap((each) => [...each]));
}

describe('noise reduction', () => {
  it.each([0, 5])('improves a signal-to-noise ratio of %i dB by at least 6 dB', (decibels) => {
    const noisySpeech = mix(speech, noiseFor(speech, whiteNoise, decibels));
    expect(signalToResidual(noisySpeech)).toBeCloseTo(decibels, 0);
    expect(
      signalToResidual(reduceAll(noisySpeech)) - signalToResidual(noisySpeech),
    ).toBeGreaterThan(6);
  });

  it('removes fan noise from pauses', () => {
    const noisySpeech = mix(speech, noiseFor(speech, fanNoise, 5));
    const clean = reduceAll(noisySpeech);
    expect(speechToPauses(clean) - speechToPauses(noisySpeech)).toBeGreaterThan(15);
    // Speech and fan noise share frequencies, so less noise can be removed during speech.
    expect(signalToResidual(clean) - signalToResidual(noisySpeech)).toBeGreaterThan(3);
  });

  it('doesn’t shift the speech', () => {
    const input = speech.subarray(0, 5 * SAMPLE_RATE);
    const output = reduceAll(input);
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

  it('returns as many samples as it receives, however they are split', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 1500 }), (length, part) => {
        const samples = speech.subarray(8000, 8000 + length);
        const completeResult = reduceAll(samples);
        expect(completeResult.length).toBe(length);
        expect(reduceAll(samples, part)).toEqual(completeResult);
      }),
      { numRuns: 40 },
    );
  });

  it('preserves silence', () => {
    expect(energy(reduceAll(new Int16Array(3 * SAMPLE_RATE)))).toBe(0);
  });

  it('rejects an incomplete frame', () => {
    const denoiser = rnnoise.createDenoiser();
    expect(() => denoiser.process(new Float32Array(479))).toThrow(AudioFailure);
    denoiser.free();
  });
});

describe('reduceNoise', () => {
  async function* pieces(file: Uint8Array, size: number) {
    for (let offset = 0; offset < file.length; offset += size)
      yield file.subarray(offset, offset + size);
  }

  async function denoise(file: Uint8Array, changes: Partial<NoiseReduction> = {}) {
    const outputs: Uint8Array[] = [];
    const progress: number[] = [];
    await reduceNoise({
      opus,
      rnnoise,
      source: pieces(file, 10_007),
      size: file.length,
      write: (bytes) => void outputs.push(bytes),
      onProgress: (fraction) => void progress.push(fraction),
      signal: new AbortController().signal,
      ...changes,
    });
    return { file: new Uint8Array(Buffer.concat(outputs)), progress };
  }

  it('creates a file in the recorder’s format, of exactly the same length', async () => {
    const { file, progress } = await denoise(master);
    const original = demuxOgg(master);
    const denoised = demuxOgg(file);
    expect(denoised.granules).toBe(original.granules);
    expect(denoised.packets.length).toBe(original.packets.length);
    expect(new Set(denoised.packets.map(({ length }) => length))).toEqual(new Set([160]));
    const pcm = decodeOggToPcm(file, opus);
    expect(pcm.length).toBe(decodeOggToPcm(master, opus).length);
    expect(signalToResidual(pcm.subarray(0, speech.length))).toBeGreaterThan(6);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('stops when it is canceled', async () => {
    const control = new AbortController();
    const pieceCount = Math.ceil(master.length / 10_007);
    let progressCalls = 0;
    const onProgress = () => {
      progressCalls += 1;
      if (progressCalls === 3) control.abort(new Error('canceled'));
    };
    await expect(denoise(master, { onProgress, signal: control.signal })).rejects.toThrow(
      'canceled',
    );
    expect(progressCalls).toBe(3);
    expect(pieceCount).toBeGreaterThan(4);
  });

  it('keeps the length of a master with a damaged page', async () => {
    const damagedMaster = master.map((byte, offset) => (offset === 9000 ? byte ^ 1 : byte));
    const { file } = await denoise(damagedMaster);
    expect(demuxOgg(file).granules).toBe(demuxOgg(master).granules);
  });

  it.each([
    ['no complete page', (file: Uint8Array) => file.subarray(0, 40)],
    ['unrelated content', (file: Uint8Array) => new Uint8Array(file.length)],
  ])('rejects a file with %s', async (_what, damage) => {
    await expect(denoise(damage(master))).rejects.toMatchObject({
      name: 'AudioFailure',
      code: 'truncated',
    });
  });
});
