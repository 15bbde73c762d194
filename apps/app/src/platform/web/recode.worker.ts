/** Converts audio to a different format, chunk by chunk, so memory use barely depends on the duration. */
import { PacketEncoder } from '@linnet/audio/convert';
import { SAMPLE_RATE, toGranules } from '@linnet/audio/format';
import { OggOpusMuxer } from '@linnet/audio/ogg';
import { waveHeader } from '@linnet/audio/wave';
import { expose } from 'comlink';
import mp3Url from 'wasm-media-encoders/wasm/mp3?url';
import { BlobParts } from '../../features/export/blob-parts.ts';
import { fetchBytes, loadCodec, toResult } from './audio-handles.worker.ts';
import { decodeFile, NoDecoder } from './file-samples.ts';
import type { RecodeApi } from './recode-api.ts';

/** MP3 bit rate in kbit/s, the same as the recorders'. At this rate, speech has no audible loss. */
const MP3_KBITS = 64;

/** Number of samples encoded at once: four seconds. */
const MP3_STEP = 65_536;

/** Encodes 16 kHz mono samples in a particular format. */
type Encoder = { push(samples: Int16Array): void; end(): Blob };

const createEncoders: Record<'wav' | 'ogg' | 'mp3', () => Promise<Encoder>> = {
  async wav() {
    const parts = new BlobParts();
    let count = 0;
    return {
      push(samples) {
        parts.add(new Uint8Array(samples.slice().buffer));
        count += samples.length;
      },
      // The header contains the number of samples, so it can be prepended only at the end.
      end: () => parts.blob('audio/wav', waveHeader(count, SAMPLE_RATE)),
    };
  },

  async ogg() {
    const parts = new BlobParts();
    const encoder = new PacketEncoder(await loadCodec());
    const muxer = new OggOpusMuxer();
    let count = 0;
    parts.add(muxer.header());
    return {
      push(samples) {
        parts.add(muxer.push(encoder.push(samples)));
        count += samples.length;
      },
      end() {
        parts.add(muxer.push(encoder.end()));
        parts.add(muxer.end(toGranules(count)));
        encoder.free();
        return parts.blob('audio/ogg');
      },
    };
  },

  async mp3() {
    const parts = new BlobParts();
    const { createEncoder } = await import('wasm-media-encoders');
    const encoder = await createEncoder('audio/mpeg', (await fetchBytes(mp3Url)).buffer);
    encoder.configure({ sampleRate: SAMPLE_RATE, channels: 1, bitrate: MP3_KBITS });
    const scaled = new Float32Array(MP3_STEP);
    return {
      push(samples) {
        for (let start = 0; start < samples.length; start += MP3_STEP) {
          const count = Math.min(MP3_STEP, samples.length - start);
          for (let index = 0; index < count; index += 1) {
            scaled[index] = (samples[start + index] ?? 0) / 0x8000;
          }
          // Copy the result, because it is a view of the encoder's memory, which the next call overwrites.
          parts.add(encoder.encode([scaled.subarray(0, count)]).slice());
        }
      },
      end() {
        parts.add(encoder.finalize().slice());
        return parts.blob('audio/mpeg');
      },
    };
  },
};

const api: RecodeApi = {
  recode: (file, format, onProgress) =>
    toResult(
      async () => {
        const encoder = await createEncoders[format]();
        for await (const samples of decodeFile(file, await loadCodec(), onProgress)) {
          encoder.push(samples);
        }
        return encoder.end();
      },
      (error) => (error instanceof NoDecoder ? 'no_decoder' : null),
    ),
};

expose(api);
