/**
 * Decodes audio files to 16 kHz mono samples. `@linnet/audio` decodes WAV and Ogg Opus, and the browser all other
 * formats. Files are processed in chunks, so memory use doesn't depend on their duration.
 */
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { type AudioKind, type AudioKindId, detectAudioKind, KIND_BYTES } from '@linnet/audio/kind';
import type { OpusModule } from '@linnet/audio/opus';
import { createMonoStream, type MonoStream } from '@linnet/audio/resample';
import {
  createSampleReader,
  declaredSeconds,
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

/** Number of bytes per read: eight seconds of an Ogg file in the recorder's format, two seconds of WAV. */
const STEP_BYTES = 64 * 1024;

/** The supported audio containers. Each adds a few kilobytes to the app. */
const CONTAINERS = [MP3, MP4, QTFF, ADTS, OGG, WEBM, MATROSKA, FLAC, WAVE];

/** Thrown if this thread can't decode a file. */
export class NoDecoder extends Error {
  override readonly name = 'NoDecoder';
}

/** Reads a file in chunks. */
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
 * @param onKind called with the file's kind once, before its samples; null for a file that is never uploaded unchanged
 * @throws AudioFailure if the file is damaged or too long
 * @throws NoDecoder
 */
export async function* decodeFile(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
  onKind: (kind: AudioKindId | null) => void = () => {},
): AsyncGenerator<Int16Array> {
  const kind = await detectKind(file);
  let hasYielded = false;
  try {
    for await (const samples of decodeWithReaders(file, opus, onProgress)) {
      if (!hasYielded && samples.length > 0) {
        hasYielded = true;
        onKind(kind?.id ?? null);
      }
      yield samples;
    }
    return;
  } catch (error) {
    // A WAV or Ogg file may contain another codec, which the browser may be able to decode.
    const isOtherFormat = error instanceof AudioFailure && /^not-/.test(error.code);
    if (hasYielded || !isOtherFormat) throw error;
  }
  onKind(await browserKind(file));
  yield* decodeWithBrowser(file, onProgress);
}

async function detectKind(file: Blob): Promise<AudioKind | null> {
  return detectAudioKind(await readBytes(file, 0, KIND_BYTES));
}

/**
 * Returns the kind of a file that the browser decodes.
 * @returns null if servers don't decode this kind with this codec. Videos aren't uploaded, because they are many times
 * larger than their audio.
 */
export async function browserKind(file: Blob): Promise<AudioKindId | null> {
  const kind = await detectKind(file);
  if (kind?.decoder.by !== 'ffmpeg') return null;
  const input = new Input({ source: new BlobSource(file), formats: CONTAINERS });
  try {
    const [track, video] = [await input.getPrimaryAudioTrack(), await input.getPrimaryVideoTrack()];
    const isKnown = !video && kind.decoder.codecs.some((codec) => codec === track?.codec);
    return isKnown ? kind.id : null;
  } catch {
    // The container is damaged, or unknown to the library.
    return null;
  } finally {
    input.dispose();
  }
}

const readBytes = async (file: Blob, start: number, length: number) =>
  new Uint8Array(await file.slice(start, start + length).arrayBuffer());

async function* decodeWithReaders(
  file: Blob,
  opus: OpusModule,
  onProgress: (fraction: number) => void,
): AsyncGenerator<Int16Array> {
  const firstBytes = await readBytes(file, 0, KIND_BYTES);
  const declared = await declaredSeconds(
    (start, length) => readBytes(file, start, length),
    file.size,
  );
  const reader = createSampleReader(firstBytes, opus, maxSecondsFor(declared ?? 0) * SAMPLE_RATE);
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
    // Start decoding at 0, because earlier samples only prime the decoder.
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

/** Returns a chunk's samples as interleaved 16-bit integers. */
function toInterleaved(sample: AudioSample): Int16Array {
  const samples = new Int16Array(sample.numberOfFrames * sample.numberOfChannels);
  sample.copyTo(samples, { planeIndex: 0, format: 's16' });
  return samples;
}
