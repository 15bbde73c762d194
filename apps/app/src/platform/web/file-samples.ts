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

/** Bytes read at once: eight seconds of the recorder's Ogg, two of WAV. */
const STEP_BYTES = 64 * 1024;

/** Supported audio containers; each adds a few kilobytes to the app. */
const CONTAINERS = [MP3, MP4, QTFF, ADTS, OGG, WEBM, MATROSKA, FLAC, WAVE];

/** This thread cannot decode a file. */
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
 * The samples of an audio file, 16 kHz mono, in pieces: WAV and Ogg Opus with our own readers, other formats
 * with the browser's decoders. Memory use does not depend on the length.
 * @throws AudioFailure when WAV or Ogg Opus is damaged; NoDecoder
 */
export async function* fileSamples(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  let given = false;
  try {
    for await (const samples of ownSamples(file, opus, onProgress)) {
      given ||= samples.length > 0;
      yield samples;
    }
    return;
  } catch (error) {
    // A RIFF or Ogg file of another kind.
    const other = error instanceof AudioFailure && /^not-/.test(error.code);
    if (given || !other) throw error;
  }
  yield* decodedSamples(file, onProgress);
}

async function* ownSamples(
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
  if (!('AudioDecoder' in globalThis)) throw new NoDecoder('no WebCodecs');
  let left = MAX_SECONDS;
  const input = new Input({ source: new BlobSource(file), formats: CONTAINERS });
  try {
    const track = await openTrack(input);
    const length = await track.computeDuration();
    let mono: (MonoStream & { readonly rate: number; readonly channels: number }) | undefined;
    // From 0: earlier samples are only for priming the decoder.
    for await (const sample of new AudioSampleSink(track).samples(0)) {
      const { sampleRate, numberOfChannels, timestamp, duration } = sample;
      left -= duration;
      if (left < 0) throw new AudioFailure('too-long', `more than ${MAX_SECONDS} s`);
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
    throw new AudioFailure('not-wave', 'the decoder gave up', { cause });
  } finally {
    input.dispose();
  }
}

async function openTrack(input: Input) {
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track && (await track.canDecode())) return track;
  } catch (cause) {
    throw new NoDecoder('no container that is known', { cause });
  }
  throw new NoDecoder('no audio in it that is known');
}

/** The samples of a piece, 16 bit, interleaved. */
function interleaved(sample: AudioSample): Int16Array {
  const samples = new Int16Array(sample.numberOfFrames * sample.numberOfChannels);
  sample.copyTo(samples, { planeIndex: 0, format: 's16' });
  return samples;
}
