import { AudioFailure } from '../failure.ts';
import {
  bodySize,
  type ChunkLayout,
  findLayout,
  headerBytes,
  isKnownChunk,
  padding,
  readFourCc,
  rootBytes,
} from './chunk-layout.ts';
import { oggSeconds } from './ogg-seconds.ts';
import { type FormatChunk, readWaveFields, waveFormat } from './pcm-format.ts';
import type { ReadAt } from './read-at.ts';
import {
  AFTER_DATA_BYTES,
  dataSize,
  isChunkAfterData,
  MAX_CHUNKS,
  mayBeOutdated,
  readSize64,
  SIZES_64,
} from './wave-samples.ts';

/** Number of bytes to read from the start of a file. They usually contain everything before a WAV file's data. */
const HEAD_BYTES = 64 * 1024;

/** Maximum duration to decode from any file, in seconds. For comparison, a 2 GiB master is 70 hours long. */
export const MAX_SECONDS = 100 * 3600;
/** How far the actual duration may exceed the declared duration. Encoders round and count pages differently. */
const TOLERANCE = { fraction: 0.05, seconds: 30 };

/**
 * Returns the duration in seconds that an Ogg Opus, WAV or AIFF file declares, without decoding it, or null if it
 * can't be determined. In an Ogg file, the last page of each stream gives the duration; in a WAV or AIFF file, it
 * follows from the format and the size of the data. The actual duration may differ: see {@link maxSecondsFor}.
 * @param size the size of the file in bytes
 */
export async function declaredSeconds(read: ReadAt, size: number): Promise<number | null> {
  const head = await read(0, Math.min(size, HEAD_BYTES));
  if (readFourCc(head, 0) === 'OggS') return oggSeconds(read, size);
  const layout = findLayout(head);
  if (!layout) return null;
  return waveSeconds(layout, size, (start, length) =>
    start + length <= head.length
      ? Promise.resolve(head.subarray(start, start + length))
      : read(start, length),
  );
}

/**
 * Returns the maximum number of seconds to decode, given a file's declared duration. Longer files count as damaged.
 */
export function maxSecondsFor(declared: number): number {
  return Math.min(MAX_SECONDS, declared * (1 + TOLERANCE.fraction) + TOLERANCE.seconds);
}

async function waveSeconds(
  layout: ChunkLayout,
  size: number,
  read: ReadAt,
): Promise<number | null> {
  const headerSize = headerBytes(layout);
  const { format, data } = layout;
  const rootSize = bodySize(layout, await read(0, headerSize));
  let bytesPerSecond: number | null = null;
  let size64: number | null = null;
  let offset = rootBytes(layout);
  for (let count = 0; count <= MAX_CHUNKS && offset + headerSize <= size; count += 1) {
    const header = await read(offset, headerSize);
    if (header.length < headerSize) return null;
    const [id, length] = [readFourCc(header, 0), bodySize(layout, header)];
    const bodyOffset = offset + headerSize;
    if (id === data.id) {
      if (bytesPerSecond === null) return null;
      const dataOffset = bodyOffset + data.preambleBytes;
      const end = bodyOffset + dataSize(length, size64);
      const isComplete = end + AFTER_DATA_BYTES > size || !mayBeOutdated(rootSize, end);
      const hasMore = !isComplete && !isChunkAfterData(await read(end, AFTER_DATA_BYTES), end);
      return ((hasMore ? size : Math.min(end, size)) - dataOffset) / bytesPerSecond;
    }
    if ((id === format.id || id === SIZES_64) && length > 0) {
      const body = await read(bodyOffset, Math.min(length, format.bytes));
      if (id === format.id) bytesPerSecond = byteRate(format, body);
      else size64 = readSize64(body);
    }
    offset = bodyOffset + length;
    const pad = padding(layout, length);
    if (pad > 0 && !isKnownChunk(await read(offset, 4))) offset += pad;
  }
  return null;
}

/** Returns a format's byte rate, or null if it's unknown. */
function byteRate(format: FormatChunk, chunk: Uint8Array): number | null {
  try {
    const { encoding, channels, rate } = format.read(chunk);
    return encoding.bytes * channels * rate;
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    // The encoding isn't supported, so rely on the byte rate in a WAV file's header.
    return format === waveFormat ? readWaveFields(chunk)?.bytesPerSecond || null : null;
  }
}
