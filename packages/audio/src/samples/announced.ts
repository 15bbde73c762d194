import { AudioFailure } from '../failure.ts';
import { GRANULE_RATE } from '../format.ts';
import {
  CHUNK_HEAD_BYTES,
  EXTENSIBLE_BYTES,
  MAX_CHUNKS,
  RIFF_BYTES,
  readFormat,
} from './wave-samples.ts';

/** Reads up to `length` bytes of a file from `start`; fewer at its end. */
export type ReadAt = (start: number, length: number) => Promise<Uint8Array>;

/** Bytes read from the start: enough for both Opus headers without pictures, and for the chunks before most WAV data. */
const HEAD_BYTES = 64 * 1024;
/** Bytes read from the end, which include the last Ogg page of at most 65,307 bytes (RFC 3533, section 6). */
const TAIL_BYTES = 66 * 1024;

/** Maximum seconds of audio decoded from any file: 2 GiB of the recorder's Ogg are 70 hours. */
export const MAX_SECONDS = 100 * 3600;
/** Tolerance of the announced duration, because encoders round and count pages differently. */
const TOLERANCE = { fraction: 0.05, seconds: 30 };

/**
 * Returns the duration in seconds that an Ogg Opus or WAV file announces: in its last page, or by its format and the size
 * of its available data. Null if there is no readable announcement. The actual duration may differ, see
 * {@link maxSecondsFor}.
 * @param size size of the file in bytes
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

/** Returns the maximum seconds to decode from a file, given its announced duration; a longer one counts as damaged. */
export function maxSecondsFor(announced: number): number {
  return Math.min(MAX_SECONDS, announced * (1 + TOLERANCE.fraction) + TOLERANCE.seconds);
}

function oggSeconds(head: Uint8Array, tail: Uint8Array): number | null {
  const opus = find(head, 'OpusHead');
  if (opus === null || opus + 12 > head.length) return null;
  const preSkip = view(head).getUint16(opus + 10, true);
  for (let page = tail.length - 14; page >= 0; page -= 1) {
    if (!at(tail, page, 'OggS')) continue;
    const granules = Number(view(tail).getBigInt64(page + 6, true));
    // -1 means that no packet ends on this page; the previous page has the position.
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
      bytesPerSecond = byteRate(await read(bodyAt, Math.min(length, EXTENSIBLE_BYTES)));
    }
    if (at(chunk, 0, 'data')) {
      return bytesPerSecond === null ? null : Math.min(length, size - bodyAt) / bytesPerSecond;
    }
    // RIFF pads chunks to even sizes.
    chunkAt = bodyAt + length + (length % 2);
  }
  return null;
}

/** Returns the byte rate of a format; null if it is unknown. */
function byteRate(chunk: Uint8Array): number | null {
  try {
    const { encoding, channels, rate } = readFormat(chunk);
    return encoding.bytes * channels * rate;
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    // For an unsupported encoding, the stated byte rate applies.
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
