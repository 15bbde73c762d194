import type { FileHandle } from 'node:fs/promises';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { WAVE_HEADER_BYTES, waveHeader } from '@linnet/audio/wave';
import { createMp3Encoder } from 'wasm-media-encoders';

/** Writes 16 kHz mono samples to a file, part by part. */
export interface Sink {
  write(samples: Int16Array): Promise<void>;
  end(): Promise<void>;
}

/** As many kbit/s as the recorder's Opus has: the same size, and speech loses nothing audible. */
const mp3Bitrate = 64;

/** Samples encoded at a time: four seconds. */
const mp3Step = 65_536;

/** How each format is written. */
export const sinks = { wav: waveSink, mp3: mp3Sink } as const;

async function waveSink(file: FileHandle): Promise<Sink> {
  let count = 0;
  // The header goes before samples whose number is known after them.
  await file.write(new Uint8Array(WAVE_HEADER_BYTES), 0, WAVE_HEADER_BYTES, 0);
  return {
    async write(samples) {
      const part = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      await file.write(part, 0, part.length, WAVE_HEADER_BYTES + count * 2);
      count += samples.length;
    },
    async end() {
      await file.write(waveHeader(count, SAMPLE_RATE), 0, WAVE_HEADER_BYTES, 0);
      await file.datasync();
    },
  };
}

async function mp3Sink(file: FileHandle): Promise<Sink> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: SAMPLE_RATE, channels: 1, bitrate: mp3Bitrate });
  const scaled = new Float32Array(mp3Step);
  return {
    async write(samples) {
      for (let at = 0; at < samples.length; at += mp3Step) {
        const count = Math.min(mp3Step, samples.length - at);
        for (let n = 0; n < count; n += 1) scaled[n] = (samples[at + n] ?? 0) / 0x8000;
        // What the encoder answers is its own memory, good until the next call.
        await file.appendFile(encoder.encode([scaled.subarray(0, count)]));
      }
    },
    async end() {
      await file.appendFile(encoder.finalize());
    },
  };
}
