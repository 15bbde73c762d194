import { AudioFailure } from '../failure.ts';
import { SAMPLE_RATE } from '../format.ts';
import { createMonoStream, type MonoStream } from '../resample.ts';
import type { SampleReader } from './sample-reader.ts';

/** Maximum number of chunks before the data. No WAV writer exceeds it. */
export const MAX_CHUNKS = 100;
/** The supported sample rates, in hertz. Other rates would need huge filters or produce huge outputs. */
const RATES = { lowest: 4_000, highest: 384_000 };
const MAX_CHANNELS = 32;
/** Frames to read at a time. They yield 128 kB of samples at the lowest rate. */
const BATCH_FRAMES = 16_384;

export const RIFF_BYTES = 12;
export const CHUNK_HEAD_BYTES = 8;
/** Size of an extensible `fmt ` chunk up to and including its format code, in bytes. */
export const EXTENSIBLE_BYTES = 26;

/** The sizes in files that were written to a pipe. */
const UNKNOWN_SIZE = 0xffff_ffff;
/** The ids of chunks that follow the data in practice, and the first bytes of ID3 tags that are appended to files. */
const CHUNK_AFTER_DATA =
  /^(?:LIST|INFO|id3 |ID3|TAG|bext|cue |smpl|fact|PEAK|iXML|aXML|axml|JUNK|junk|PAD |FLLR|acid|inst|plst|DISP|_PMX|chna|umid|minf|elm1|regn|afsp|cart|link|LGWV)/;
/** How many bytes after the data tell whether a chunk follows. */
export const AFTER_DATA_BYTES = 8;

const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
const EXTENSIBLE = 0xfffe;

/** A sample encoding: bytes per sample, and a function that reads a sample as a 16-bit value. */
type Encoding = { readonly bytes: number; read(view: DataView, offset: number): number };

const clampSample = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** The supported encodings, by format code and bits per sample. */
const encodings: Readonly<Record<string, Encoding>> = {
  [`${PCM}/8`]: { bytes: 1, read: (view, offset) => (view.getUint8(offset) - 128) << 8 },
  [`${PCM}/16`]: { bytes: 2, read: (view, offset) => view.getInt16(offset, true) },
  [`${PCM}/24`]: { bytes: 3, read: (view, offset) => view.getInt16(offset + 1, true) },
  [`${PCM}/32`]: { bytes: 4, read: (view, offset) => view.getInt16(offset + 2, true) },
  [`${FLOAT}/32`]: {
    bytes: 4,
    read: (view, offset) => clampSample(view.getFloat32(offset, true) * 32_768),
  },
  [`${A_LAW}/8`]: { bytes: 1, read: (view, offset) => expandALaw(view.getUint8(offset)) },
  [`${MU_LAW}/8`]: { bytes: 1, read: (view, offset) => expandMuLaw(view.getUint8(offset)) },
};

/** Expands an A-law byte to 16 bits (ITU-T G.711, table 1). Its bits are sign, exponent (3) and mantissa (4), xor 0x55. */
function expandALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

/** Expands a μ-law byte to 16 bits (ITU-T G.711, table 2). Its inverted bits are sign, exponent (3) and mantissa (4). */
function expandMuLaw(byte: number): number {
  const bits = ~byte;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
}

/**
 * True if a header may be older than the end of its recording, as a recorder leaves it that crashed: it states nothing
 * after the data.
 * @param riffSize the size that the file's header states
 * @param dataEnd the stated end of the data, in bytes from the start of the file
 */
export function mayBeOutdated(riffSize: number, dataEnd: number): boolean {
  // RIFF pads chunks to even sizes.
  return riffSize === UNKNOWN_SIZE || riffSize + CHUNK_HEAD_BYTES <= dataEnd + (dataEnd % 2);
}

/** True if bytes begin with a chunk or tag, rather than with more data. @param bytes {@link AFTER_DATA_BYTES} bytes */
export function isChunkAfterData(bytes: Uint8Array, dataEnd: number): boolean {
  const paddedStart = dataEnd % 2;
  return [0, paddedStart].some((start) => CHUNK_AFTER_DATA.test(readFourCc(bytes, start)));
}

type Format = { readonly encoding: Encoding; readonly channels: number; readonly rate: number };

/** The data chunk that is being read. */
type Data = {
  readonly format: Format;
  remainingBytes: number;
  /** The stated end of the data, in bytes from the start of the file. */
  readonly end: number;
  /** Whether more data may follow the stated end. */
  mayContinue: boolean;
  readonly mono: MonoStream;
};

/**
 * Reads the samples of a WAV file piece by piece. Supports integer PCM (8, 16, 24 or 32 bits), floats, A-law and μ-law,
 * with up to 32 channels. If the data is shorter or longer than stated, as after an interrupted recording, reads to the end
 * of the file.
 */
export class WaveSamples implements SampleReader {
  /** Received bytes that haven't been parsed yet. */
  #unread: Uint8Array = new Uint8Array();
  /** How many bytes of the file precede the unread ones. */
  #offset = 0;
  /** The size that the header states; null until it has been read. */
  #riffSize: number | null = null;
  #chunks = 0;
  /** Bytes of an ignored chunk that are still to be skipped. */
  #bytesToSkip = 0;
  #format: Format | null = null;
  #data: Data | null = null;

  /** @throws AudioFailure `not-wave` */
  *push(bytes: Uint8Array): Generator<Int16Array> {
    this.#unread = this.#unread.length === 0 ? bytes : concatBytes(this.#unread, bytes);
    while (!this.#data && this.#readPart()) {
      // Read the chunks before the data.
    }
    if (this.#data) yield* this.#readData(this.#data);
    // Copy the bytes, because the caller may reuse its buffer. `slice` would not copy a Node Buffer.
    this.#unread = new Uint8Array(this.#unread);
  }

  /** Yields the last samples. @throws AudioFailure `not-wave` if the file has no data chunk */
  *end(): Generator<Int16Array> {
    if (!this.#data) throw new AudioFailure('not-wave', 'no data chunk');
    yield this.#data.mono.end();
  }

  free(): void {}

  #discard(count: number): void {
    this.#unread = this.#unread.subarray(count);
    this.#offset += count;
  }

  /** Reads the next part of the file before the data. @returns true if another part can be read */
  #readPart(): boolean {
    const skipped = Math.min(this.#bytesToSkip, this.#unread.length);
    this.#discard(skipped);
    this.#bytesToSkip -= skipped;
    if (this.#bytesToSkip > 0) return false;
    return this.#riffSize === null ? this.#readRiff() : this.#readChunk(this.#riffSize);
  }

  #readRiff(): boolean {
    if (this.#unread.length < RIFF_BYTES) return false;
    if (readFourCc(this.#unread, 0) !== 'RIFF' || readFourCc(this.#unread, 8) !== 'WAVE') {
      throw new AudioFailure('not-wave', 'no RIFF/WAVE header');
    }
    this.#riffSize = viewOf(this.#unread).getUint32(4, true);
    this.#discard(RIFF_BYTES);
    return true;
  }

  #readChunk(riffSize: number): boolean {
    if (this.#unread.length < CHUNK_HEAD_BYTES) return false;
    const name = readFourCc(this.#unread, 0);
    const view = viewOf(this.#unread);
    const size = view.getUint32(4, true);
    if (name === 'data') {
      if (!this.#format) throw new AudioFailure('not-wave', 'data before fmt');
      const mono = createMonoStream(this.#format.channels, this.#format.rate, SAMPLE_RATE);
      this.#discard(CHUNK_HEAD_BYTES);
      const remainingBytes = size === UNKNOWN_SIZE ? Number.POSITIVE_INFINITY : size;
      const end = this.#offset + size;
      const mayContinue = mayBeOutdated(riffSize, end);
      this.#data = { format: this.#format, remainingBytes, end, mayContinue, mono };
      return false;
    }
    if (name === 'fmt ') {
      const requiredBytes = CHUNK_HEAD_BYTES + Math.min(size, EXTENSIBLE_BYTES);
      if (this.#unread.length < requiredBytes) return false;
      this.#format = readFormat(this.#unread.subarray(CHUNK_HEAD_BYTES, requiredBytes));
    }
    this.#chunks += 1;
    if (this.#chunks > MAX_CHUNKS) throw new AudioFailure('not-wave', 'too many chunks');
    this.#discard(CHUNK_HEAD_BYTES);
    // RIFF pads chunks to even sizes.
    this.#bytesToSkip = size + (size % 2);
    return true;
  }

  *#readData(data: Data): Generator<Int16Array> {
    const { encoding, channels } = data.format;
    const frameBytes = encoding.bytes * channels;
    for (;;) {
      const completeFrames = Math.floor(
        Math.min(this.#unread.length, data.remainingBytes) / frameBytes,
      );
      const frames = Math.min(completeFrames, BATCH_FRAMES);
      if (frames === 0) {
        if (this.#continuesAfter(data)) continue;
        break;
      }
      const view = viewOf(this.#unread);
      const samples = new Int16Array(frames * channels);
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = encoding.read(view, index * encoding.bytes);
      }
      data.remainingBytes -= frames * frameBytes;
      this.#discard(frames * frameBytes);
      yield data.mono.push(samples);
    }
    // Ignore anything after the data: other chunks, or an incomplete frame.
    if (data.remainingBytes < frameBytes && !data.mayContinue) this.#discard(this.#unread.length);
  }

  /** Decides whether more data follows the stated end, once enough bytes have been received. */
  #continuesAfter(data: Data): boolean {
    const after = this.#unread.subarray(data.end - this.#offset);
    if (!data.mayContinue || this.#offset > data.end || after.length < AFTER_DATA_BYTES)
      return false;
    data.mayContinue = false;
    if (isChunkAfterData(after, data.end)) return false;
    data.remainingBytes = Number.POSITIVE_INFINITY;
    return true;
  }
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const readFourCc = (bytes: Uint8Array, offset: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4));

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/**
 * Reads the body of a `fmt ` chunk. The first {@link EXTENSIBLE_BYTES} bytes are enough.
 * @throws AudioFailure `not-wave`
 */
export function readFormat(chunk: Uint8Array): Format {
  if (chunk.length < 16) throw new AudioFailure('not-wave', 'fmt is too short');
  const view = viewOf(chunk);
  const tag = view.getUint16(0, true);
  const channels = view.getUint16(2, true);
  const rate = view.getUint32(4, true);
  const bits = view.getUint16(14, true);
  const formatCode =
    tag === EXTENSIBLE && chunk.length >= EXTENSIBLE_BYTES ? view.getUint16(24, true) : tag;
  const encoding = encodings[`${formatCode}/${bits}`];
  const isRateSupported = rate >= RATES.lowest && rate <= RATES.highest;
  if (!encoding || channels < 1 || channels > MAX_CHANNELS || !isRateSupported) {
    throw new AudioFailure(
      'not-wave',
      `format ${formatCode}, ${bits} bits, ${channels} channels, ${rate} Hz`,
    );
  }
  return { encoding, channels, rate };
}
