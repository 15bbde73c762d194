/** Converts audio to another format in pieces, so that memory use hardly grows with the length. */
import { PacketEncoder } from '@linnet/audio/convert';
import { granulesOf, SAMPLE_RATE } from '@linnet/audio/format';
import { OggOpusMuxer } from '@linnet/audio/ogg';
import { waveHeader } from '@linnet/audio/wave';
import { expose } from 'comlink';
import mp3Url from 'wasm-media-encoders/wasm/mp3?url';
import { BlobParts } from '../../features/export/blob-parts.ts';
import { answer, fetchBytes, loadCodec } from './audio-handles.worker.ts';
import { fileSamples, NoDecoder } from './file-samples.ts';
import type { RecodeApi } from './recode-api.ts';

/** The bit rate of the recorder's Opus, in kbit/s: the same size, without audible loss for speech. */
const MP3_KBITS = 64;

/** Samples encoded at once: four seconds. */
const MP3_STEP = 65_536;

/** Encodes 16 kHz mono samples in one format. */
type Sink = { push(samples: Int16Array): void; end(): Blob };

const sinks: Record<'wav' | 'ogg' | 'mp3', () => Promise<Sink>> = {
  async wav() {
    const parts = new BlobParts();
    let count = 0;
    return {
      push(samples) {
        parts.add(new Uint8Array(samples.slice().buffer));
        count += samples.length;
      },
      // The header precedes the samples but depends on their number, so it is written last.
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
        parts.add(muxer.end(granulesOf(count)));
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
        for (let at = 0; at < samples.length; at += MP3_STEP) {
          const count = Math.min(MP3_STEP, samples.length - at);
          for (let n = 0; n < count; n += 1) scaled[n] = (samples[at + n] ?? 0) / 0x8000;
          // The encoder's result is a view of its own memory, valid until the next call.
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
    answer(
      async () => {
        const sink = await sinks[format]();
        for await (const samples of fileSamples(file, await loadCodec(), onProgress)) {
          sink.push(samples);
        }
        return sink.end();
      },
      (error) => (error instanceof NoDecoder ? 'no_decoder' : null),
    ),
};

expose(api);
