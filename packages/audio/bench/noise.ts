import { PacketEncoder } from '../src/convert.ts';
import { PACKET_SAMPLES, SAMPLE_RATE } from '../src/format.ts';
import { loadRnnoise, reduceNoise } from '../src/noise/index.ts';
import { readRnnoiseWasm } from '../src/noise/wasm-node.ts';
import { muxOgg } from '../src/ogg/index.ts';
import { loadOpus } from '../src/opus/index.ts';
import { readOpusWasm } from '../src/opus/wasm-node.ts';

/** Duration of the audio to denoise, in seconds. */
const SECONDS = 120;

/** Measures the end-to-end speed of noise reduction, file to file, as a multiple of real time. */
export async function run() {
  const opus = await loadOpus(readOpusWasm());
  const rnnoise = await loadRnnoise(readRnnoiseWasm());
  const encoder = new PacketEncoder(opus);
  // Create a voice-like signal with noise, because RNNoise would skip silence.
  const pcm = Int16Array.from({ length: SECONDS * SAMPLE_RATE - PACKET_SAMPLES }, (_, n) => {
    const t = n / SAMPLE_RATE;
    const openness = Math.max(0, Math.sin(2 * Math.PI * 3.1 * t));
    return 6000 * openness * Math.sin(2 * Math.PI * 140 * t) + 600 * (Math.random() - 0.5);
  });
  const first = encoder.push(pcm);
  const last = encoder.end();
  encoder.free();
  const packets = new Uint8Array(first.length + last.length);
  packets.set(first);
  packets.set(last, first.length);
  const master = muxOgg(packets);

  const measurePass = async () => {
    const start = performance.now();
    await reduceNoise({
      opus,
      rnnoise,
      source: (async function* () {
        yield master;
      })(),
      size: master.length,
      write: () => {},
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    return (performance.now() - start) / 1000;
  };
  await measurePass();
  const best = Math.min(await measurePass(), await measurePass(), await measurePass());
  return [{ name: 'noise.linnet', value: SECONDS / best, unit: '× real time' }];
}
