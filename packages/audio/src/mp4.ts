/** Finds the parts of MP4 files (ISO 14496-12). */
import type { ReadAt } from './samples/read-at.ts';

/** Maximum number of boxes to look at. Files have fewer than ten before the index. */
const MAX_BOXES = 100;

/** A box's size (32 bits), its type, and its size if it needs 64 bits. */
const BOX_HEAD_BYTES = 16;

/** How much of an index to search. A long file's index describes each sample, but its encodings come first. */
const MAX_MOVIE_BYTES = 8 * 1024 * 1024;

/** The sample entries of AAC and MP3, of Opus, and of MP3 in QuickTime files. */
const ENTRIES = ['mp4a', 'Opus', '.mp3'];

const typeOf = (box: Uint8Array): string => String.fromCharCode(...box.subarray(4, 8));

/** True if a file begins like an MP4 file. */
export const isMp4 = (beginning: Uint8Array): boolean => typeOf(beginning) === 'ftyp';

/**
 * Finds the box `moov`, the index without which an MP4 file can't be decoded. Most recorders write it last.
 * @param size the size of the file in bytes
 * @returns its offset; null if there is none, as after a crash
 */
export async function findMovie(read: ReadAt, size: number): Promise<number | null> {
  for (let offset = 0, n = 0; n < MAX_BOXES && offset + BOX_HEAD_BYTES <= size; n += 1) {
    const box = await read(offset, BOX_HEAD_BYTES);
    if (box.length < BOX_HEAD_BYTES) return null;
    if (typeOf(box) === 'moov') return offset;
    const view = new DataView(box.buffer, box.byteOffset, box.byteLength);
    const length = view.getUint32(0) === 1 ? Number(view.getBigUint64(8)) : view.getUint32(0);
    // A size of 0 means that the box extends to the end of the file.
    if (length < 8) return null;
    offset += length;
  }
  return null;
}

/**
 * True if a track of an MP4 file is encoded as AAC, MP3 or Opus.
 * @param movie the offset of the index
 * @param size the size of the file in bytes
 */
export async function hasKnownCodec(read: ReadAt, movie: number, size: number): Promise<boolean> {
  const index = await read(movie, Math.min(size - movie, MAX_MOVIE_BYTES));
  // The type, version and flags, and count of a sample description precede the size and type of its first entry.
  const entries = new TextDecoder('latin1').decode(index).matchAll(/stsd[\s\S]{12}([\s\S]{4})/g);
  return [...entries].some(([, type = '']) => ENTRIES.includes(type));
}
