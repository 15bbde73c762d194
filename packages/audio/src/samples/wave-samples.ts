import { concat } from '../bytes.ts';
import { AudioFailure } from '../failure.ts';
import { SAMPLE_RATE } from '../format.ts';
import { createMonoStream, type MonoStream } from '../resample.ts';
import {
  bodySize,
  type ChunkLayout,
  findLayout,
  headerBytes,
  isKnownChunk,
  LAYOUT_BYTES,
  padding,
  readFourCc,
  rootBytes,
} from './chunk-layout.ts';
import type { PcmFormat } from './pcm-format.ts';
import type { SampleReader } from './sample-reader.ts';

/** Maximum number of chunks before the data. No known WAV writer exceeds it. */
export const MAX_CHUNKS = 100;
/** Number of frames to read at a time. They yield 128 kB of samples at the lowest rate. */
const BATCH_FRAMES = 16_384;

/** The size stated in files that were written to a pipe. */
const UNKNOWN_SIZE = 0xffff_ffff;
/** Number of bytes after the data needed to tell whether a chunk follows. */
export const AFTER_DATA_BYTES = 8;

/**
 * Returns whether a header may have been written before the recording ended, as after a crash of the recorder. The
 * sizes in such a header leave no space for anything after the data.
 * @param riffSize the size given in the file's header
 * @param dataEnd where the data ends according to the header, in bytes from the start of the file
 */
export function mayBeOutdated(riffSize: number, dataEnd: number): boolean {
  // RIFF pads chunks to even sizes.
  return riffSize === UNKNOWN_SIZE || riffSize + 8 <= dataEnd + (dataEnd % 2);
}

/**
 * Returns whether `bytes` starts with a chunk or tag rather than with more data.
 * @param bytes {@link AFTER_DATA_BYTES} bytes
 */
export function isChunkAfterData(bytes: Uint8Array, dataEnd: number): boolean {
  return [0, dataEnd % 2].some((start) => isKnownChunk(bytes, start));
}

/** Returns the size of the data in bytes, or infinity if unknown. @param size64 the size in the `ds64` chunk, if any */
export function dataSize(size: number, size64: number | null): number {
  return size === UNKNOWN_SIZE ? (size64 ?? Number.POSITIVE_INFINITY) : size;
}

/** The ID of the chunk that holds the 64-bit sizes of RF64 files. */
export const SIZES_64 = 'ds64';

/** Returns the size of the data in bytes from a chunk with 64-bit sizes (EBU Tech 3306), or null if it's too short. */
export const readSize64 = (body: Uint8Array): number | null =>
  body.length < 16 ? null : Number(toView(body).getBigUint64(8, true));

/** The data chunk being read. */
type Data = {
  readonly format: PcmFormat;
  remainingBytes: number;
  /** Where the data ends according to the header, in bytes from the start of the file. */
  readonly end: number;
  /** True if more data may follow the stated end. */
  mayContinue: boolean;
  readonly mono: MonoStream;
};

/**
 * Reads the samples of a WAV or AIFF file piece by piece. Supports integer PCM (8, 16, 24 or 32 bits), floats, A-law
 * and μ-law, with up to 32 channels, in RIFF, RF64, W64, AIFF and AIFF-C. If the data is shorter or longer than the
 * header says, as after an interrupted recording, reads to the end of the file.
 */
export class WaveSamples implements SampleReader {
  /** Received bytes that haven't been parsed yet. */
  #unread: Uint8Array = new Uint8Array();
  /** Offset of the unread bytes in the file. */
  #offset = 0;
  /** The file's structure and the size given in its header, or null until they've been read. */
  #root: { readonly layout: ChunkLayout; readonly size: number } | null = null;
  #chunks = 0;
  /** Number of bytes still to skip in an ignored chunk, and number of bytes that may pad it. */
  #bytesToSkip = 0;
  #padding = 0;
  /** The size of the data according to an RF64 file's 64-bit sizes. */
  #size64: number | null = null;
  #format: PcmFormat | null = null;
  #data: Data | null = null;

  /** @throws AudioFailure `not-wave` */
  *push(bytes: Uint8Array): Generator<Int16Array> {
    this.#unread = this.#unread.length === 0 ? bytes : concat([this.#unread, bytes]);
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
    const skippedBytes = Math.min(this.#bytesToSkip, this.#unread.length);
    this.#discard(skippedBytes);
    this.#bytesToSkip -= skippedBytes;
    if (this.#bytesToSkip > 0) return false;
    return this.#root ? this.#readChunk(this.#root) : this.#readRoot();
  }

  #readRoot(): boolean {
    if (this.#unread.length < LAYOUT_BYTES) return false;
    const layout = findLayout(this.#unread);
    if (!layout) throw new AudioFailure('not-wave', 'no RIFF/WAVE header');
    this.#root = { layout, size: bodySize(layout, this.#unread) };
    this.#bytesToSkip = rootBytes(layout);
    return true;
  }

  #readChunk({ layout, size: rootSize }: { layout: ChunkLayout; size: number }): boolean {
    const headerSize = headerBytes(layout);
    if (this.#unread.length < this.#padding + headerSize) return false;
    if (!isKnownChunk(this.#unread)) this.#discard(this.#padding);
    this.#padding = 0;
    const id = readFourCc(this.#unread, 0);
    const size = bodySize(layout, this.#unread);
    const { data, format } = layout;
    if (id === data.id) {
      if (!this.#format) throw new AudioFailure('not-wave', 'data before the format');
      const mono = createMonoStream(this.#format.channels, this.#format.rate, SAMPLE_RATE);
      this.#bytesToSkip = headerSize + data.preambleBytes;
      const remainingBytes = dataSize(size, this.#size64) - data.preambleBytes;
      const end = this.#offset + headerSize + dataSize(size, this.#size64);
      const mayContinue = mayBeOutdated(rootSize, end);
      this.#data = { format: this.#format, remainingBytes, end, mayContinue, mono };
      return false;
    }
    const end = headerSize + Math.min(size, format.bytes);
    if (this.#unread.length < end) return false;
    const body = this.#unread.subarray(headerSize, end);
    if (id === format.id) this.#format = format.read(body);
    if (id === SIZES_64) this.#size64 = readSize64(body);
    this.#chunks += 1;
    if (this.#chunks > MAX_CHUNKS) throw new AudioFailure('not-wave', 'too many chunks');
    this.#bytesToSkip = headerSize + size;
    this.#padding = padding(layout, size);
    return true;
  }

  *#readData(data: Data): Generator<Int16Array> {
    const { encoding, channels } = data.format;
    const frameBytes = encoding.bytes * channels;
    const skippedBytes = Math.min(this.#bytesToSkip, this.#unread.length);
    this.#discard(skippedBytes);
    this.#bytesToSkip -= skippedBytes;
    if (this.#bytesToSkip > 0) return;
    for (;;) {
      const completeFrames = Math.floor(
        Math.min(this.#unread.length, data.remainingBytes) / frameBytes,
      );
      const frames = Math.min(completeFrames, BATCH_FRAMES);
      if (frames === 0) {
        if (this.#continuesAfter(data)) continue;
        break;
      }
      const view = toView(this.#unread);
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

  /** Determines whether more data follows the stated end, once enough bytes have been received. */
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

const toView = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
