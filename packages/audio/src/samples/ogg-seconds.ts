import { AudioFailure } from '../failure.ts';
import { GRANULE_RATE } from '../format.ts';
import { findPage, type OggAudioPage, type OggLink, OggScanner } from '../ogg/index.ts';
import type { ReadAt } from './read-at.ts';

/** Number of bytes to read from the start of a file. They contain both Opus headers unless there are pictures. */
const HEAD_BYTES = 64 * 1024;
/** Number of bytes to read from the end. The last Ogg page has at most 65,307 bytes (RFC 3533, section 6). */
const TAIL_BYTES = 66 * 1024;
/** Number of bytes to read at a time from a file with several streams. */
const BLOCK_BYTES = 1024 * 1024;
/** Minimum share of a file that its last stream must fill to count as the only stream. Pages vary in size. */
const SINGLE_STREAM = 0.95;

/**
 * Returns the duration in seconds that an Ogg Opus file declares on its last page, or null if it can't be determined.
 * Only files with several streams are read in full.
 * @param size the size of the file in bytes
 */
export async function oggSeconds(read: ReadAt, size: number): Promise<number | null> {
  const scanner = new OggScanner();
  let link: OggLink | null = null;
  let end = 0;
  /** The duration of the streams before `link`, in 48 kHz samples. */
  let endedGranules = 0;
  const granules = () => endedGranules + Math.max(0, end - (link?.head.preSkip ?? 0));
  const add = (pages: Iterable<OggAudioPage>) => {
    for (const page of pages) {
      if (page.link !== link) endedGranules = granules();
      link = page.link;
      end = page.end;
    }
  };
  try {
    add(scanner.push(await read(0, Math.min(size, HEAD_BYTES))));
    const only = endedGranules === 0 ? scanner.link : null;
    if (only && size > HEAD_BYTES) {
      const tailBytes = Math.min(size, TAIL_BYTES);
      const last = lastPage(only, await read(size - tailBytes, tailBytes), size);
      if (last) {
        const { start, head } = only;
        return Math.max(0, last.granule - (start ?? 0) - head.preSkip) / GRANULE_RATE;
      }
    }
    for (let offset = HEAD_BYTES; offset < size; offset += BLOCK_BYTES) {
      add(scanner.push(await read(offset, Math.min(BLOCK_BYTES, size - offset))));
    }
    add(scanner.end());
    return granules() / GRANULE_RATE;
  } catch (error) {
    if (error instanceof AudioFailure) return null;
    throw error;
  }
}

type PageHeader = {
  /** Offset from the start of the tail, in bytes. */
  readonly offset: number;
  readonly granule: number;
  readonly serial: number;
  readonly sequence: number;
};

/**
 * Returns the last page on which a packet ends, or null if the file may contain another stream. It contains only this
 * stream if all pages in the tail belong to the stream, and are numbered as if it filled the whole file.
 * @param size the size of the file in bytes
 */
function lastPage(link: OggLink, tail: Uint8Array, size: number): PageHeader | null {
  const pages = [...pageHeaders(tail)];
  const [first, last] = [pages.at(0), pages.at(-1)];
  if (!first || !last || pages.some(({ serial }) => serial !== link.serial)) return null;
  const pageBytes = (last.offset - first.offset) / (last.sequence - first.sequence);
  if (!(last.sequence * pageBytes >= size * SINGLE_STREAM - tail.length)) return null;
  // On pages where no packet ends, the position is -1.
  return pages.findLast(({ granule }) => granule >= 0) ?? null;
}

/** Finds pages by their capture pattern and version (RFC 3533, section 6). */
function* pageHeaders(tail: Uint8Array): Generator<PageHeader> {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let offset = findPage(tail, 0); offset + 27 <= tail.length; ) {
    if (tail[offset + 4] === 0) {
      yield {
        offset,
        granule: Number(view.getBigInt64(offset + 6, true)),
        serial: view.getUint32(offset + 14, true),
        sequence: view.getUint32(offset + 18, true),
      };
    }
    offset = findPage(tail, offset + 1);
  }
}
