/**
 * Decodes audio files to 16 kHz mono samples. WAV and Ogg Opus are decoded by `@linnet/audio`, other formats by the
 * browser. Files are processed in pieces, so memory use does not depend on their duration.
 */
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import { createMonoStream, type MonoStream } from '@linnet/audio/resample';
import {
  announcedSeconds,
  createSampleReader,
  MAX_SECONDS,
  maxSecondsFor,
} from '@linnet/audio/samples';
import {
  ADTS,
  type AudioSample,
  AudioSampleSink,
  BlobSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';

/** The number of bytes per read: eight seconds of an Ogg file in the recorder's format, two seconds of WAV. */
const STEP_BYTES = 64 * 1024;

/** The supported audio containers. Each of them adds a few kilobytes to the app. */
const CONTAINERS = [MP3, MP4, QTFF, ADTS, OGG, WEBM, MATROSKA, FLAC, WAVE];

/** Thrown if this thread cannot decode a file. */
export class NoDecoder extends Error {
  override readonly name = 'NoDecoder';
}

/** Reads the bytes of a file in pieces. */
export async function* readPieces(
  file: Blob,
  stepBytes = STEP_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let offset = 0; offset < file.size; offset += stepBytes) {
    yield new Uint8Array(await file.slice(offset, offset + stepBytes).arrayBuffer());
  }
}

/**
 * Decodes an audio file.
 * @param onForeign called if the browser has to decode the file, because the server would not be able to
 * @throws AudioFailure if the file is damaged or too long
 * @throws NoDecoder
 */
export async function* decodeFile(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
  onForeign: () => void = () => {},
): AsyncGenerator<Int16Array> {
  let hasYielded = false;
  try {
    for await (const samples of decodeWithReaders(file, opus, onProgress)) {
      hasYielded ||= samples.length > 0;
      yield samples;
    }
    return;
  } catch (error) {
    // A WAV or Ogg file may contain another codec, which the browser may be able to decode.
    const isOtherFormat = error instanceof AudioFailure && /^not-/.test(error.code);
    if (hasYielded || !isOtherFormat) throw error;
  }
  onForeign();
  yield* decodeWithBrowser(file, onProgress);
}

async function* decodeWithReaders(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  const firstBytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const announced = await announcedSeconds(
    async (start, length) => new Uint8Array(await file.slice(start, start + length).arrayBuffer()),
    file.size,
  );
  const reader = createSampleReader(firstBytes, opus, maxSecondsFor(announced ?? 0) * SAMPLE_RATE);
  let bytesRead = 0;
  try {
    for await (const bytes of readPieces(file)) {
      yield* reader.push(bytes);
      bytesRead += bytes.length;
      onProgress(bytesRead / file.size);
    }
    yield* reader.end();
  } finally {
    reader.free();
  }
}

async function* decodeWithBrowser(
  file: Blob,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  if (!('AudioDecoder' in globalThis)) throw new NoDecoder('WebCodecs is not supported.');
  let remainingSeconds = MAX_SECONDS;
  const input = new Input({ source: new BlobSource(file), formats: CONTAINERS });
  try {
    const track = await openTrack(input);
    const totalSeconds = await track.computeDuration();
    let mono: (MonoStream & { readonly rate: number; readonly channels: number }) | undefined;
    // Decoding starts at 0, because samples before that only prime the decoder.
    for await (const sample of new AudioSampleSink(track).samples(0)) {
      const { sampleRate, numberOfChannels, timestamp, duration } = sample;
      remainingSeconds -= duration;
      if (remainingSeconds < 0)
        throw new AudioFailure('too-long', `The audio exceeds ${MAX_SECONDS} s.`);
      if (mono?.rate !== sampleRate || mono.channels !== numberOfChannels) {
        yield mono?.end() ?? new Int16Array();
        const stream = createMonoStream(numberOfChannels, sampleRate, SAMPLE_RATE);
        mono = { ...stream, rate: sampleRate, channels: numberOfChannels };
      }
      const samples = mono.push(toInterleaved(sample));
      sample.close();
      yield samples;
      onProgress(Math.min(1, Math.max(0, (timestamp + duration) / totalSeconds)));
    }
    yield mono?.end() ?? new Int16Array();
  } catch (cause) {
    if (cause instanceof NoDecoder || cause instanceof AudioFailure) throw cause;
    throw new AudioFailure('not-wave', 'The decoder failed.', { cause });
  } finally {
    input.dispose();
  }
}

async function openTrack(input: Input) {
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track && (await track.canDecode())) return track;
  } catch (cause) {
    throw new NoDecoder('Unknown container.', { cause });
  }
  throw new NoDecoder('No decodable audio track.');
}

/** Returns the samples of a piece as interleaved 16-bit integers. */
function toInterleaved(sample: AudioSample): Int16Array {
  const samples = new Int16Array(sample.numberOfFrames * sample.numberOfChannels);
  sample.copyTo(samples, { planeIndex: 0, format: 's16' });
  return samples;
}
