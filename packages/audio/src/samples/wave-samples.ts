import { AudioFailure } from '../failure.ts';
import { SAMPLE_RATE } from '../format.ts';
import { type MonoStream, monoStream } from '../resample.ts';
import type { SampleReader } from './sample-reader.ts';

/** Maximum number of chunks before the data: more than any writer produces. */
export const MAX_CHUNKS = 100;
/** Supported sample rates in hertz. Others would require huge filters or outputs. */
const RATES = { lowest: 4_000, highest: 384_000 };
const MAX_CHANNELS = 32;
/** Frames read at a time: 128 kB of samples at the lowest rate. */
const BATCH_FRAMES = 16_384;

export const RIFF_BYTES = 12;
export const CHUNK_HEAD_BYTES = 8;
/** Bytes of an extensible `fmt ` chunk up to its format code. */
export const EXTENSIBLE_BYTES = 26;

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

/** Reads samples of one encoding as 16-bit values. */
type Encoding = { readonly bytes: number; read(view: DataView, at: number): number };

const clamped = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** Supported encodings, by format code and bits per sample. */
const encodings: Readonly<Record<string, Encoding>> = {
  [`${PCM}/8`]: { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) << 8 },
  [`${PCM}/16`]: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  [`${PCM}/24`]: { bytes: 3, read: (view, at) => view.getInt16(at + 1, true) },
  [`${PCM}/32`]: { bytes: 4, read: (view, at) => view.getInt16(at + 2, true) },
  [`${FLOAT}/32`]: { bytes: 4, read: (view, at) => clamped(view.getFloat32(at, true) * 32_768) },
};

type Format = { readonly encoding: Encoding; readonly channels: number; readonly rate: number };

/** The data chunk: its format, and the number of bytes that remain. */
type Data = { readonly format: Format; left: number; readonly mono: MonoStream };

/**
 * Reads the samples of a WAV file: PCM with 8, 16, 24 or 32 bits, or floats, with up to 32 channels and common rates. Data
 * shorter than stated, as an interrupted writer leaves it, is read to the end of the file.
 */
export class WaveSamples implements SampleReader {
  /** Received bytes that have not been read yet. */
  #rest: Uint8Array = new Uint8Array();
  #isRiff = false;
  #chunks = 0;
  /** Remaining bytes of an ignored chunk. */
  #toSkip = 0;
  #format: Format | null = null;
  #data: Data | null = null;

  /** @throws AudioFailure `not-wave` */
  *push(bytes: Uint8Array): Generator<Int16Array> {
    this.#rest = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    while (!this.#data && this.#readPart()) {
      // Reads the chunks before the data.
    }
    if (this.#data) yield* this.#readData(this.#data);
    // A copy, because the caller may reuse its buffer. Not `slice`, which does not copy a Node Buffer.
    this.#rest = new Uint8Array(this.#rest);
  }

  /** @throws AudioFailure `not-wave` without any data */
  *end(): Generator<Int16Array> {
    if (!this.#data) throw new AudioFailure('not-wave', 'no data chunk');
    yield this.#data.mono.end();
  }

  free(): void {}

  #discard(count: number): void {
    this.#rest = this.#rest.subarray(count);
  }

  /** Reads one part before the data. @returns whether another can be read */
  #readPart(): boolean {
    const skipped = Math.min(this.#toSkip, this.#rest.length);
    this.#discard(skipped);
    this.#toSkip -= skipped;
    if (this.#toSkip > 0) return false;
    return this.#isRiff ? this.#readChunk() : this.#readRiff();
  }

  #readRiff(): boolean {
    if (this.#rest.length < RIFF_BYTES) return false;
    if (letters(this.#rest, 0) !== 'RIFF' || letters(this.#rest, 8) !== 'WAVE') {
      throw new AudioFailure('not-wave', 'no RIFF/WAVE header');
    }
    this.#isRiff = true;
    this.#discard(RIFF_BYTES);
    return true;
  }

  #readChunk(): boolean {
    if (this.#rest.length < CHUNK_HEAD_BYTES) return false;
    const name = letters(this.#rest, 0);
    const view = viewOf(this.#rest);
    const size = view.getUint32(4, true);
    if (name === 'data') {
      if (!this.#format) throw new AudioFailure('not-wave', 'data before fmt');
      const mono = monoStream(this.#format.channels, this.#format.rate, SAMPLE_RATE);
      this.#data = { format: this.#format, left: size, mono };
      this.#discard(CHUNK_HEAD_BYTES);
      return false;
    }
    if (name === 'fmt ') {
      const needed = CHUNK_HEAD_BYTES + Math.min(size, EXTENSIBLE_BYTES);
      if (this.#rest.length < needed) return false;
      this.#format = readFormat(this.#rest.subarray(CHUNK_HEAD_BYTES, needed));
    }
    this.#chunks += 1;
    if (this.#chunks > MAX_CHUNKS) throw new AudioFailure('not-wave', 'too many chunks');
    this.#discard(CHUNK_HEAD_BYTES);
    // RIFF pads chunks to even sizes.
    this.#toSkip = size + (size % 2);
    return true;
  }

  *#readData(data: Data): Generator<Int16Array> {
    const { encoding, channels } = data.format;
    const frameBytes = encoding.bytes * channels;
    for (;;) {
      const whole = Math.floor(Math.min(this.#rest.length, data.left) / frameBytes);
      const frames = Math.min(whole, BATCH_FRAMES);
      if (frames === 0) break;
      const view = viewOf(this.#rest);
      const samples = new Int16Array(frames * channels);
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = encoding.read(view, index * encoding.bytes);
      }
      data.left -= frames * frameBytes;
      this.#discard(frames * frameBytes);
      yield data.mono.push(samples);
    }
    // Bytes after the data are other chunks, or an incomplete frame.
    if (data.left < frameBytes) this.#discard(this.#rest.length);
  }
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const letters = (bytes: Uint8Array, at: number) =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** Reads the body of a `fmt ` chunk, or its beginning. @throws AudioFailure `not-wave` */
export function readFormat(chunk: Uint8Array): Format {
  if (chunk.length < 16) throw new AudioFailure('not-wave', 'fmt is too short');
  const view = viewOf(chunk);
  const tag = view.getUint16(0, true);
  const channels = view.getUint16(2, true);
  const rate = view.getUint32(4, true);
  const bits = view.getUint16(14, true);
  const kind =
    tag === EXTENSIBLE && chunk.length >= EXTENSIBLE_BYTES ? view.getUint16(24, true) : tag;
  const encoding = encodings[`${kind}/${bits}`];
  const isRateSupported = rate >= RATES.lowest && rate <= RATES.highest;
  if (!encoding || channels < 1 || channels > MAX_CHANNELS || !isRateSupported) {
    throw new AudioFailure(
      'not-wave',
      `format ${kind}, ${bits} bits, ${channels} channels, ${rate} Hz`,
    );
  }
  return { encoding, channels, rate };
}
