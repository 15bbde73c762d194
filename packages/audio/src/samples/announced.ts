import { AudioFailure } from '../failure.ts';
import { GRANULE_RATE } from '../format.ts';
import {
  CHUNK_HEAD_BYTES,
  EXTENSIBLE_BYTES,
  MAX_CHUNKS,
  RIFF_BYTES,
  readFormat,
} from './wave-samples.ts';

/** Reads bytes of a file from `start`; fewer than `length` where it ends. */
export type ReadAt = (start: number, length: number) => Promise<Uint8Array>;

/** Enough for both Opus headers without pictures, and for the chunks before most WAV files' data. */
const HEAD_BYTES = 64 * 1024;
/** An Ogg page has at most 65,307 bytes (RFC 3533, section 6): the last one begins in here. */
const TAIL_BYTES = 66 * 1024;

/** Seconds of audio beyond this many are decoded from no file: 2 GiB of the recorder's Ogg have 70 hours. */
export const MAX_SECONDS = 100 * 3600;
/** How much longer than it announces a file may turn out to be: encoders round, and count pages differently. */
const TOLERANCE = { share: 0.05, seconds: 30 };

/**
 * Seconds of audio that an Ogg Opus or WAV file announces: in its last page, or by its format and the size of its data,
 * as far as that is there. Null for a file that announces nothing readable. What is in the file may differ: see
 * {@link mostSecondsOf}.
 * @param size bytes of the file
 */
export async function announcedSeconds(read: ReadAt, size: number): Promise<number | null> {
  const head = await read(0, Math.min(size, HEAD_BYTES));
  if (at(head, 0, 'OggS')) {
    return oggSeconds(head, await read(Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES)));
  }
  if (!at(head, 0, 'RIFF') || !at(head, 8, 'WAVE')) return null;
  return waveSeconds(size, (start, length) =>
    start + length <= head.length
      ? Promise.resolve(head.subarray(start, start + length))
      : read(start, length),
  );
}

/** Seconds that may be decoded from a file that announces so many, before it counts as damaged. */
export function mostSecondsOf(announced: number): number {
  return Math.min(MAX_SECONDS, announced * (1 + TOLERANCE.share) + TOLERANCE.seconds);
}

function oggSeconds(head: Uint8Array, tail: Uint8Array): number | null {
  const opus = find(head, 'OpusHead');
  if (opus === null || opus + 12 > head.length) return null;
  const preSkip = view(head).getUint16(opus + 10, true);
  for (let page = tail.length - 14; page >= 0; page -= 1) {
    if (!at(tail, page, 'OggS')) continue;
    const granules = Number(view(tail).getBigInt64(page + 6, true));
    // -1 of a page in which no packet ends: the one before it knows.
    if (granules >= 0) return Math.max(0, granules - preSkip) / GRANULE_RATE;
  }
  return null;
}

async function waveSeconds(size: number, read: ReadAt): Promise<number | null> {
  let bytesPerSecond: number | null = null;
  let chunkAt = RIFF_BYTES;
  for (let count = 0; count <= MAX_CHUNKS && chunkAt + CHUNK_HEAD_BYTES <= size; count += 1) {
    const chunk = await read(chunkAt, CHUNK_HEAD_BYTES);
    if (chunk.length < CHUNK_HEAD_BYTES) return null;
    const length = view(chunk).getUint32(4, true);
    const bodyAt = chunkAt + CHUNK_HEAD_BYTES;
    if (at(chunk, 0, 'fmt ')) {
      bytesPerSecond = rateOf(await read(bodyAt, Math.min(length, EXTENSIBLE_BYTES)));
    }
    if (at(chunk, 0, 'data')) {
      return bytesPerSecond === null ? null : Math.min(length, size - bodyAt) / bytesPerSecond;
    }
    // RIFF pads chunks to even sizes.
    chunkAt = bodyAt + length + (length % 2);
  }
  return null;
}

/** Bytes of a second, or null where a format tells none. */
function rateOf(chunk: Uint8Array): number | null {
  try {
    const { encoding, channels, rate } = readFormat(chunk);
    return encoding.bytes * channels * rate;
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    // Of a kind that is not decoded here: what it says itself.
    return chunk.length < 12 ? null : view(chunk).getUint32(8, true) || null;
  }
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function at(bytes: Uint8Array, index: number, letters: string): boolean {
  if (index + letters.length > bytes.length) return false;
  for (let n = 0; n < letters.length; n += 1) {
    if (bytes[index + n] !== letters.charCodeAt(n)) return false;
  }
  return true;
}

function find(bytes: Uint8Array, letters: string): number | null {
  for (let index = 0; index < bytes.length; index += 1) {
    if (at(bytes, index, letters)) return index;
  }
  return null;
}
