import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import { type MonoStream, monoStream } from '@linnet/audio/resample';
import { announcedSeconds, MAX_SECONDS, maxSecondsFor, sampleReader } from '@linnet/audio/samples';
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

/** Bytes per read: eight seconds of a recorder's Ogg file, two seconds of WAV. */
const STEP_BYTES = 64 * 1024;

/** Supported audio containers; each adds a few kilobytes to the app. */
const CONTAINERS = [MP3, MP4, QTFF, ADTS, OGG, WEBM, MATROSKA, FLAC, WAVE];

/** The error for a file that this thread cannot decode. */
export class NoDecoder extends Error {
  override readonly name = 'NoDecoder';
}

/** The bytes of a file in pieces. */
export async function* bytesOf(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < file.size; at += STEP_BYTES) {
    yield new Uint8Array(await file.slice(at, at + STEP_BYTES).arrayBuffer());
  }
}

/**
 * Reads an audio file as 16 kHz mono samples in pieces: WAV and Ogg Opus with the readers of `@linnet/audio`,
 * other formats with the browser's decoders. Memory use does not depend on the duration.
 * @throws AudioFailure when WAV or Ogg Opus is damaged; NoDecoder
 */
export async function* fileSamples(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  let hasYielded = false;
  try {
    for await (const samples of parsedSamples(file, opus, onProgress)) {
      hasYielded ||= samples.length > 0;
      yield samples;
    }
    return;
  } catch (error) {
    // The file may be RIFF or Ogg with another codec.
    const isOtherFormat = error instanceof AudioFailure && /^not-/.test(error.code);
    if (hasYielded || !isOtherFormat) throw error;
  }
  yield* decodedSamples(file, onProgress);
}

async function* parsedSamples(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  const beginning = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const announced = await announcedSeconds(
    async (start, length) => new Uint8Array(await file.slice(start, start + length).arrayBuffer()),
    file.size,
  );
  const reader = sampleReader(beginning, opus, maxSecondsFor(announced ?? 0) * SAMPLE_RATE);
  let read = 0;
  try {
    for await (const bytes of bytesOf(file)) {
      yield* reader.push(bytes);
      read += bytes.length;
      onProgress(read / file.size);
    }
    yield* reader.end();
  } finally {
    reader.free();
  }
}

async function* decodedSamples(
  file: Blob,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  if (!('AudioDecoder' in globalThis)) throw new NoDecoder('WebCodecs is not supported.');
  let left = MAX_SECONDS;
  const input = new Input({ source: new BlobSource(file), formats: CONTAINERS });
  try {
    const track = await openTrack(input);
    const length = await track.computeDuration();
    let mono: (MonoStream & { readonly rate: number; readonly channels: number }) | undefined;
    // Starts at 0, because earlier samples only prime the decoder.
    for await (const sample of new AudioSampleSink(track).samples(0)) {
      const { sampleRate, numberOfChannels, timestamp, duration } = sample;
      left -= duration;
      if (left < 0) throw new AudioFailure('too-long', `The audio exceeds ${MAX_SECONDS} s.`);
      if (mono?.rate !== sampleRate || mono.channels !== numberOfChannels) {
        yield mono?.end() ?? new Int16Array();
        const stream = monoStream(numberOfChannels, sampleRate, SAMPLE_RATE);
        mono = { ...stream, rate: sampleRate, channels: numberOfChannels };
      }
      const samples = mono.push(interleaved(sample));
      sample.close();
      yield samples;
      onProgress(Math.min(1, Math.max(0, (timestamp + duration) / length)));
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

/** The samples of a piece, 16 bit, interleaved. */
function interleaved(sample: AudioSample): Int16Array {
  const samples = new Int16Array(sample.numberOfFrames * sample.numberOfChannels);
  sample.copyTo(samples, { planeIndex: 0, format: 's16' });
  return samples;
}
