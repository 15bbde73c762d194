import { PacketEncoder } from '@linnet/audio/convert';
import { CHUNK_BYTES, PACKET_MS, PACKETS_PER_CHUNK } from '@linnet/audio/format';
import { OggOpusMuxer } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { waveHeader } from '@linnet/audio/wave';
import { SPEECH_SAMPLE_RATE, type SpeechAudio } from '../port.ts';
import { openWave, readSamples } from '../wave-file.ts';

/** Upload formats. Ogg Opus files are a quarter of the size, but some self-hosted services only accept WAV. */
const audioFormats = ['ogg', 'wav'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** A source of samples that can be read more than once. */
export interface SampleSource {
  readonly sampleCount: number;
  /** Reads blocks of at most one second. Each block is valid until the next one is read. */
  read(from: number, to: number): AsyncIterable<Int16Array> | Iterable<Int16Array>;
}

const BLOCK_SAMPLES = SPEECH_SAMPLE_RATE;

/**
 * Opens audio for repeated reading.
 * @throws SpeechFailure `audio-unreadable`
 */
export async function openSamples(audio: SpeechAudio): Promise<SampleSource> {
  if (audio.kind === 'pcm') {
    const { samples } = audio;
    return {
      sampleCount: samples.length,
      *read(from, to) {
        for (let position = from; position < to; position += BLOCK_SAMPLES) {
          yield samples.subarray(position, Math.min(to, position + BLOCK_SAMPLES));
        }
      },
    };
  }
  const wave = await openWave(audio.path);
  return {
    sampleCount: wave.sampleCount,
    read: (from, to) => readSamples(wave, BLOCK_SAMPLES, { from, to }),
  };
}

/** Bytes per second, including the container. An Ogg page header takes 27 bytes plus one per packet. */
const BYTES_PER_SECOND = {
  ogg: ((27 + PACKETS_PER_CHUNK + CHUNK_BYTES) * 1000) / (PACKETS_PER_CHUNK * PACKET_MS),
  wav: SPEECH_SAMPLE_RATE * 2,
} as const satisfies Record<AudioFormat, number>;

/** Upper bound for the file headers and the multipart form, in bytes. */
const OVERHEAD_BYTES = 16 * 1024;

/** Returns how many seconds of audio fit into a request of `bytes`. */
export function secondsWithin(bytes: number, format: AudioFormat): number {
  return Math.floor((bytes - OVERHEAD_BYTES) / BYTES_PER_SECOND[format]);
}

let opusModule: Promise<OpusModule> | undefined;

/** Encodes a range of samples as an audio file; `to` is exclusive. */
export async function encodePiece(
  source: SampleSource,
  from: number,
  to: number,
  format: AudioFormat,
): Promise<File> {
  const parts = format === 'ogg' ? oggParts(source.read(from, to)) : waveParts(source, from, to);
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of parts) bytes.push(part);
  return new File(bytes, `audio.${format}`, { type: `audio/${format}` });
}

async function* oggParts(blocks: ReturnType<SampleSource['read']>) {
  opusModule ??= loadOpus(readOpusWasm());
  const encoder = new PacketEncoder(await opusModule);
  const muxer = new OggOpusMuxer();
  try {
    yield muxer.header();
    for await (const block of blocks) yield muxer.push(encoder.push(block));
    yield muxer.push(encoder.end());
    yield muxer.end();
  } finally {
    encoder.free();
  }
}

async function* waveParts(source: SampleSource, from: number, to: number) {
  yield waveHeader(to - from, SPEECH_SAMPLE_RATE);
  for await (const block of source.read(from, to)) {
    // Copy the block, because the next one overwrites it.
    yield new Uint8Array(new Int16Array(block).buffer);
  }
}
