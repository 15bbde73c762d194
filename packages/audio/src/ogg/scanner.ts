import { concat } from '../bytes.ts';
import { AudioFailure } from '../failure.ts';
import { GRANULE_RATE, PRE_SKIP_GRANULES } from '../format.ts';
import { type OggOpusHead, readHead } from './demuxer.ts';
import { isCommentHeader, PacketAssembler, startsWith } from './packets.ts';
import { FLAG_FIRST, findPage, pageLength, type ReadPage, readPage } from './page.ts';

/** One of a file's consecutive Opus streams (RFC 3533, section 4: sequential multiplexing). */
export type OggLink = {
  readonly head: OggOpusHead;
  readonly serial: number;
  /** The position of the first sample, or null until the first page of audio has been read. Nonzero in an excerpt. */
  readonly start: number | null;
};

/** The audio of a page. */
export type OggAudioPage = {
  /** The page's stream. All pages of a stream refer to the same object. */
  readonly link: OggLink;
  /** Duration of the audio missing before this page, in 48 kHz samples. */
  readonly missing: number;
  /** The audio packets, which are views into the bytes that were read. */
  readonly packets: readonly Uint8Array[];
  /** End position of the page in its stream, in 48 kHz samples including the pre-skip. */
  readonly end: number;
};

/** A stream in progress. */
type OpenLink = Omit<OggLink, 'start'> & {
  readonly assembler: PacketAssembler;
  /** The sequence number of the last page. */
  sequence: number;
  start: number | null;
  /** End position of the audio read so far. */
  position: number;
};

/** Maximum number of concurrent streams to track. */
const MAX_STREAMS = 64;

/**
 * Maximum duration of audio that may be missing before the first intact page, in 48 kHz samples. A stream that starts
 * later is treated as an excerpt. Encoders write pages of a second or less.
 */
const MAX_MISSING_AT_START = 10 * GRANULE_RATE;

/**
 * Maximum number of bytes of damaged pages to check: a fixed budget, plus an allowance per byte of the file. Bounds the
 * time spent on a malicious file.
 */
const DAMAGE_BUDGET = { bytes: 4 * 1024 * 1024, perByte: 4 };

/**
 * Extracts Opus packets from any Ogg file piece by piece. Reads all consecutive streams, but only the first Opus stream
 * among concurrent streams. Skips damaged pages and stray bytes between pages. Holds at most one page and one packet in
 * memory.
 */
export class OggScanner {
  #unread: Uint8Array = new Uint8Array();
  #link: OpenLink | null = null;
  /** The serial numbers of ignored streams. */
  #otherSerials: number[] = [];
  /** True if the last page read was the first page of a stream. */
  #isBeginning = false;
  /** True if bytes were skipped after the last page read. */
  #isDamaged = false;
  #remainingBudget = DAMAGE_BUDGET.bytes;

  /** The Opus stream being read, or null before the first stream. */
  get link(): OggLink | null {
    return this.#link;
  }

  /**
   * Reads the next bytes of the file, which may be split anywhere, and yields the audio of each complete page.
   * @throws AudioFailure `not-opus` (no Opus stream, or one with more than two channels), `opus-invalid` (a packet that
   *   is too large), `page-corrupt` (too much damage)
   */
  push(bytes: Uint8Array): Generator<OggAudioPage> {
    this.#unread = this.#unread.length === 0 ? bytes : concat([this.#unread, bytes]);
    this.#remainingBudget += bytes.length * DAMAGE_BUDGET.perByte;
    return this.#pages(false);
  }

  /**
   * Yields the audio of the pages after an incomplete page. Call this once all bytes have been read.
   * @throws AudioFailure as for {@link push}, or `truncated` if there was no audio and the file ends with an incomplete
   *   page
   */
  *end(): Generator<OggAudioPage> {
    yield* this.#pages(true);
    if (!this.#link || (this.#isDamaged && this.#link.start === null)) {
      throw new AudioFailure('truncated', 'no complete page of audio');
    }
  }

  *#pages(isEnd: boolean): Generator<OggAudioPage> {
    const bytes = this.#unread;
    let offset = 0;
    for (;;) {
      const pageOffset = findPage(bytes, offset);
      if (pageOffset > offset) this.#isDamaged = true;
      offset = pageOffset;
      const length = pageLength(bytes, offset);
      if (length === null && (!isEnd || offset === bytes.length)) break;
      const page = length === null ? null : this.#readIntactPage(bytes, offset, length);
      // A damaged page may have a wrong length, so the next page could start anywhere after it.
      this.#isDamaged ||= page === null;
      const audio = page && this.#readPage(page);
      if (audio) yield audio;
      offset = page ? page.end : offset + 1;
    }
    // Copy the bytes, because the caller may reuse its buffer. `slice` would not copy a Node Buffer.
    this.#unread = new Uint8Array(bytes.subarray(offset));
  }

  /** Returns null for a page with a wrong checksum. */
  #readIntactPage(bytes: Uint8Array, offset: number, length: number): ReadPage | null {
    try {
      return readPage(bytes, offset);
    } catch (error) {
      if (!(error instanceof AudioFailure) || error.code !== 'page-corrupt') throw error;
      this.#remainingBudget -= length;
      if (this.#remainingBudget < 0) throw error;
      return null;
    }
  }

  #readPage(page: ReadPage): OggAudioPage | null {
    const isFirst = (page.flags & FLAG_FIRST) !== 0;
    const packet = page.pieces[0]?.bytes ?? new Uint8Array();
    if (isFirst) {
      // The first pages of concurrent streams precede all other pages.
      if (!this.#isBeginning) this.#endLink();
      if (!this.#link && startsWith(packet, 'OpusHead')) this.#openLink(page, readHead(packet));
      else if (this.#otherSerials.length < MAX_STREAMS) this.#otherSerials.push(page.serial);
    } else if (this.#isOfDamagedStream(page, packet)) {
      this.#endLink();
      this.#openLink(page, { channels: 1, preSkip: PRE_SKIP_GRANULES });
    } else if (!this.#link) {
      throw new AudioFailure('not-opus', 'no Opus stream');
    }
    this.#isBeginning = isFirst;
    const link = this.#link;
    const audio =
      !isFirst && link?.serial === page.serial ? readAudio(link, page, this.#isDamaged) : null;
    this.#isDamaged = false;
    return audio;
  }

  /** Returns whether a page belongs to an Opus stream whose first page is damaged. */
  #isOfDamagedStream({ serial }: ReadPage, packet: Uint8Array): boolean {
    if (this.#link?.serial === serial || this.#otherSerials.includes(serial)) return false;
    return this.#isDamaged || (isCommentHeader(packet) && this.#link?.start !== null);
  }

  #openLink({ serial, sequence }: ReadPage, head: OggOpusHead): void {
    const assembler = new PacketAssembler();
    this.#link = { head, serial, assembler, sequence, start: null, position: 0 };
  }

  #endLink(): void {
    this.#link = null;
    this.#otherSerials = [];
  }
}

/** Reads a page of an Opus stream other than its first. @returns null for a page without audio */
function readAudio(link: OpenLink, page: ReadPage, isDamaged: boolean): OggAudioPage | null {
  const isIncomplete = isDamaged || page.sequence > link.sequence + 1;
  link.sequence = page.sequence;
  if (isIncomplete) link.assembler.dropOpenPacket();
  const packets = link.assembler.push(page).filter(
    // An Opus packet has at least one byte (RFC 6716, 3.1), so skip empty packets.
    (packet) => packet.length > 0 && !(link.start === null && isCommentHeader(packet)),
  );
  if (packets.length === 0 || page.granule < 0) return null;
  const begin = Math.max(0, page.granule - packets.reduce((sum, p) => sum + packetGranules(p), 0));
  if (link.start === null) {
    link.start = isIncomplete && begin <= MAX_MISSING_AT_START ? 0 : begin;
    link.position = link.start;
  }
  const missingSamples = isIncomplete ? Math.max(0, begin - link.position) : 0;
  link.position = page.granule;
  return { link, missing: missingSamples, packets, end: page.granule - link.start };
}

/** The durations of an Opus frame in 48 kHz samples, for each configuration number (RFC 6716, 3.1, table 2). */
const FRAME_GRANULES = [
  ...Array.from({ length: 3 }, () => [480, 960, 1920, 2880]),
  ...Array.from({ length: 2 }, () => [480, 960]),
  ...Array.from({ length: 4 }, () => [120, 240, 480, 960]),
].flat();

/** Returns the duration of an Opus packet in 48 kHz samples (RFC 6716, 3.1). */
function packetGranules([toc = 0, frames = 0]: Uint8Array): number {
  const frameCount = [1, 2, 2, frames & 63][toc & 3] as number;
  return (FRAME_GRANULES[toc >> 3] as number) * frameCount;
}
