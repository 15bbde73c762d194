/** Locates the boxes of MP4 files (ISO 14496-12). */
import type { ReadAt } from './samples/read-at.ts';

/** Maximum number of boxes to inspect. Files have fewer than ten before the index. */
const MAX_BOXES = 100;

/** Size of a box's header in bytes: a 32-bit size, the type, and a 64-bit size if needed. */
const BOX_HEADER_BYTES = 16;

/**
 * How much of an index to search. A long file's index describes every sample, but the sample descriptions, which name
 * the codecs, come first.
 */
const MAX_MOVIE_BYTES = 8 * 1024 * 1024;

/** The sample entries for AAC and MP3, for Opus, and for MP3 in QuickTime files. */
const SAMPLE_ENTRIES = ['mp4a', 'Opus', '.mp3'];

const boxType = (box: Uint8Array): string => String.fromCharCode(...box.subarray(4, 8));

/** Returns whether the beginning of a file looks like MP4. */
export const isMp4 = (beginning: Uint8Array): boolean => boxType(beginning) === 'ftyp';

/**
 * Finds the `moov` box, the index without which an MP4 file can't be decoded. Most recorders write it last.
 * @param size the size of the file in bytes
 * @returns its offset, or null if the file has no index, for example after a crash
 */
export async function findMovie(read: ReadAt, size: number): Promise<number | null> {
  for (let offset = 0, n = 0; n < MAX_BOXES && offset + BOX_HEADER_BYTES <= size; n += 1) {
    const box = await read(offset, BOX_HEADER_BYTES);
    if (box.length < BOX_HEADER_BYTES) return null;
    if (boxType(box) === 'moov') return offset;
    const view = new DataView(box.buffer, box.byteOffset, box.byteLength);
    const length = view.getUint32(0) === 1 ? Number(view.getBigUint64(8)) : view.getUint32(0);
    // A size of 0 means that the box extends to the end of the file.
    if (length < 8) return null;
    offset += length;
  }
  return null;
}

/**
 * Returns whether a track of an MP4 file is encoded as AAC, MP3 or Opus.
 * @param movie the offset of the index
 * @param size the size of the file in bytes
 */
export async function hasKnownCodec(read: ReadAt, movie: number, size: number): Promise<boolean> {
  const index = await read(movie, Math.min(size - movie, MAX_MOVIE_BYTES));
  // In a sample description, the type is followed by version and flags, a count, and the first entry's size and type.
  const entries = new TextDecoder('latin1').decode(index).matchAll(/stsd[\s\S]{12}([\s\S]{4})/g);
  return [...entries].some(([, type = '']) => SAMPLE_ENTRIES.includes(type));
}
