import type { FileHandle } from 'node:fs/promises';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { WAVE_HEADER_BYTES, waveHeader } from '@linnet/audio/wave';
import { createMp3Encoder } from 'wasm-media-encoders';

/** A sink that writes 16 kHz mono samples to a file incrementally. */
export interface Sink {
  write(samples: Int16Array): Promise<void>;
  end(): Promise<void>;
}

/**
 * Bit rate in kbit/s. Equal to the recorder's Opus bit rate: the file size stays the same, without audible loss for
 * speech.
 */
const mp3Bitrate = 64;

/** Samples per encoder call, about four seconds. */
const mp3Step = 65_536;

/** Creates the sink for each format. */
export const sinks = { wav: waveSink, mp3: mp3Sink } as const;

async function waveSink(file: FileHandle): Promise<Sink> {
  let count = 0;
  // Reserve space for the header, which needs the final sample count.
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
      for (let offset = 0; offset < samples.length; offset += mp3Step) {
        const count = Math.min(mp3Step, samples.length - offset);
        for (let n = 0; n < count; n += 1) scaled[n] = (samples[offset + n] ?? 0) / 0x8000;
        // The encoder returns a view of its own memory, which is valid until the next call.
        await file.appendFile(encoder.encode([scaled.subarray(0, count)]));
      }
    },
    async end() {
      await file.appendFile(encoder.finalize());
    },
  };
}
