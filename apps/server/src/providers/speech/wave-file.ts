/** Reads the samples and loudness of 16 kHz mono WAV files without loading them into memory. */
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { SPEECH_SAMPLE_RATE, type SpeechAudio, SpeechFailure } from './port.ts';
import { LoudnessMeter } from './slices.ts';

/** Location of the samples in a 16 kHz mono 16-bit WAV file. */
export interface WaveFile {
  readonly path: string;
  /** Number of bytes before the first sample. */
  readonly dataOffset: number;
  readonly sampleCount: number;
}

/** Size of a RIFF chunk's header: a four-letter name and the chunk's size in bytes. */
const CHUNK_HEADER = 8;
const RIFF_HEADER = 12;
const FORMAT_BYTES = 16;
const PCM = 1;
/** `WAVE_FORMAT_EXTENSIBLE`, which is PCM with a longer format chunk. */
const EXTENSIBLE = 0xfffe;

/** Name of the file that samples are written to for an engine. */
export const AUDIO_FILE = 'audio.wav';

/**
 * Opens audio as a WAV file. Samples in memory are first written to the temporary folder.
 * @throws SpeechFailure `scratch-failed`, `audio-unreadable`
 */
export async function openAudio(audio: SpeechAudio, folder: string): Promise<WaveFile> {
  if (audio.kind === 'wav') return openWave(audio.path);
  const file = path.join(folder, AUDIO_FILE);
  try {
    await writeFile(file, writeWave(audio.samples, SPEECH_SAMPLE_RATE));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'audio', cause);
  }
  return openWave(file);
}

/**
 * Locates the samples without reading them.
 * @throws SpeechFailure `audio-unreadable`
 */
export async function openWave(path: string): Promise<WaveFile> {
  return withFile(path, async (file) => {
    const size = (await file.stat()).size;
    const riff = await readAt(file, 0, RIFF_HEADER);
    if (riff.toString('latin1', 0, 4) !== 'RIFF' || riff.toString('latin1', 8, 12) !== 'WAVE') {
      throw new SpeechFailure('audio-unreadable', 'no RIFF/WAVE header');
    }
    let hasFormat = false;
    for (let offset = RIFF_HEADER; offset + CHUNK_HEADER <= size; ) {
      const header = await readAt(file, offset, CHUNK_HEADER);
      const name = header.toString('latin1', 0, 4);
      const length = header.readUInt32LE(4);
      const body = offset + CHUNK_HEADER;
      if (name === 'fmt ') {
        checkFormat(await readAt(file, body, FORMAT_BYTES));
        hasFormat = true;
      } else if (name === 'data') {
        if (!hasFormat) throw new SpeechFailure('audio-unreadable', 'data before fmt');
        // If writing the file was interrupted, the size may exceed the end of the file.
        const bytes = Math.min(length, size - body);
        return { path, dataOffset: body, sampleCount: Math.floor(bytes / 2) };
      }
      offset = body + length + (length % 2);
    }
    throw new SpeechFailure('audio-unreadable', 'no data chunk');
  });
}

function checkFormat(format: Buffer): void {
  const tag = format.readUInt16LE(0);
  const channels = format.readUInt16LE(2);
  const rate = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  const isSupported =
    (tag === PCM || tag === EXTENSIBLE) &&
    channels === 1 &&
    rate === SPEECH_SAMPLE_RATE &&
    bits === 16;
  if (!isSupported) {
    throw new SpeechFailure(
      'audio-unreadable',
      `format ${tag}, ${channels} channels, ${rate} Hz, ${bits} bits`,
    );
  }
}

/**
 * Reads samples in blocks of at most `blockSamples`. Each block is valid until the next one is read.
 * @param range samples to read (`to` is exclusive), by default all
 * @throws SpeechFailure `audio-unreadable`
 */
export async function* readSamples(
  wave: WaveFile,
  blockSamples: number,
  range = { from: 0, to: wave.sampleCount },
): AsyncGenerator<Int16Array> {
  const buffer = new Int16Array(blockSamples);
  const bytes = new Uint8Array(buffer.buffer);
  const file = await openFile(wave.path);
  try {
    for (let offset = range.from; offset < range.to; ) {
      const length = Math.min(blockSamples, range.to - offset) * 2;
      const { bytesRead } = await file.read(bytes, 0, length, wave.dataOffset + offset * 2);
      const samples = Math.floor(bytesRead / 2);
      if (samples === 0) throw new SpeechFailure('audio-unreadable', 'file was truncated');
      yield buffer.subarray(0, samples);
      offset += samples;
    }
  } finally {
    await file.close();
  }
}

/**
 * Measures each frame's loudness, for `planSlices`.
 * @throws SpeechFailure `audio-unreadable`
 */
export async function measureLoudness(wave: WaveFile): Promise<Float32Array> {
  const meter = new LoudnessMeter(SPEECH_SAMPLE_RATE);
  // One second of samples per read.
  for await (const block of readSamples(wave, SPEECH_SAMPLE_RATE)) meter.add(block);
  return meter.finish();
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new SpeechFailure('audio-unreadable', 'truncated header');
  return buffer;
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new SpeechFailure('audio-unreadable', "can't be opened", cause);
  }
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
