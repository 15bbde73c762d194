import { AudioFailure } from '../failure.ts';
import { oggSeconds } from './ogg-seconds.ts';
import type { ReadAt } from './read-at.ts';
import {
  AFTER_DATA_BYTES,
  CHUNK_HEAD_BYTES,
  EXTENSIBLE_BYTES,
  isChunkAfterData,
  MAX_CHUNKS,
  mayBeOutdated,
  RIFF_BYTES,
  readFormat,
} from './wave-samples.ts';

/** How many bytes to read from the start of a file. They usually contain everything before a WAV file's data. */
const HEAD_BYTES = 64 * 1024;

/** Maximum duration to decode from any file, in seconds. For comparison, a 2 GiB master is 70 hours long. */
export const MAX_SECONDS = 100 * 3600;
/** How far the duration may exceed the announced one, because encoders round and count pages differently. */
const TOLERANCE = { fraction: 0.05, seconds: 30 };

/**
 * Returns the duration in seconds that an Ogg Opus or WAV file announces, without decoding it, or null if it can't be
 * determined. An Ogg file states the duration in the last page of each stream; for a WAV file, it is derived from the format and the
 * size of the data. The actual duration may differ: see {@link maxSecondsFor}.
 * @param size the size of the file in bytes
 */
export async function announcedSeconds(read: ReadAt, size: number): Promise<number | null> {
  const head = await read(0, Math.min(size, HEAD_BYTES));
  if (hasText(head, 0, 'OggS')) return oggSeconds(read, size);
  if (!hasText(head, 0, 'RIFF') || !hasText(head, 8, 'WAVE')) return null;
  return waveSeconds(size, (start, length) =>
    start + length <= head.length
      ? Promise.resolve(head.subarray(start, start + length))
      : read(start, length),
  );
}

/** Returns how many seconds to decode at most, given a file's announced duration. Longer files count as damaged. */
export function maxSecondsFor(announced: number): number {
  return Math.min(MAX_SECONDS, announced * (1 + TOLERANCE.fraction) + TOLERANCE.seconds);
}

async function waveSeconds(size: number, read: ReadAt): Promise<number | null> {
  const riffSize = viewOf(await read(0, RIFF_BYTES)).getUint32(4, true);
  let bytesPerSecond: number | null = null;
  let chunkOffset = RIFF_BYTES;
  for (let count = 0; count <= MAX_CHUNKS && chunkOffset + CHUNK_HEAD_BYTES <= size; count += 1) {
    const chunk = await read(chunkOffset, CHUNK_HEAD_BYTES);
    if (chunk.length < CHUNK_HEAD_BYTES) return null;
    const length = viewOf(chunk).getUint32(4, true);
    const bodyOffset = chunkOffset + CHUNK_HEAD_BYTES;
    if (hasText(chunk, 0, 'fmt ')) {
      bytesPerSecond = byteRate(await read(bodyOffset, Math.min(length, EXTENSIBLE_BYTES)));
    }
    if (hasText(chunk, 0, 'data')) {
      if (bytesPerSecond === null) return null;
      const end = bodyOffset + length;
      const isComplete = end + AFTER_DATA_BYTES > size || !mayBeOutdated(riffSize, end);
      const hasMore = !isComplete && !isChunkAfterData(await read(end, AFTER_DATA_BYTES), end);
      return (hasMore ? size - bodyOffset : Math.min(length, size - bodyOffset)) / bytesPerSecond;
    }
    // RIFF pads chunks to even sizes.
    chunkOffset = bodyOffset + length + (length % 2);
  }
  return null;
}

/** Returns a format's byte rate, or null if it's unknown. */
function byteRate(chunk: Uint8Array): number | null {
  try {
    const { encoding, channels, rate } = readFormat(chunk);
    return encoding.bytes * channels * rate;
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    // The encoding isn't supported, so rely on the byte rate that the file states.
    return chunk.length < 12 ? null : viewOf(chunk).getUint32(8, true) || null;
  }
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function hasText(bytes: Uint8Array, index: number, letters: string): boolean {
  if (index + letters.length > bytes.length) return false;
  for (let n = 0; n < letters.length; n += 1) {
    if (bytes[index + n] !== letters.charCodeAt(n)) return false;
  }
  return true;
}
