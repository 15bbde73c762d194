import { AudioFailure } from '../failure.ts';
import { FLAG_CONTINUED, pageLength, readPage } from './page.ts';

/** A demultiplexed Ogg Opus file. */
export type OggOpus = {
  readonly channels: number;
  /** 48 kHz samples to drop at the start. */
  readonly preSkip: number;
  /** 48 kHz samples at the end of the last page, including the pre-skip. */
  readonly granules: number;
  /** Audio packets; views into the file's bytes, except for packets that span several pages. */
  readonly packets: readonly Uint8Array[];
};

/** Contents of a stream's first packet. */
export type OggOpusHead = Pick<OggOpus, 'channels' | 'preSkip'>;

const startsWith = (bytes: Uint8Array, text: string) =>
  bytes.length >= text.length && [...text].every((c, i) => bytes[i] === c.charCodeAt(0));

/**
 * Maximum bytes of an audio packet, also in the decoder; the largest Opus frame has 1275 (RFC 6716, 3.2.1). A stream
 * with a larger packet is rejected.
 */
export const MAX_PACKET_BYTES = 1_500;

/** Maximum bytes of a comment header, which is skipped: large enough for a cover picture. */
const MAX_COMMENT_BYTES = 16 * 1024 * 1024;

/** Maximum consecutive pages in which no packet ends. Encoders occasionally write one, never this many. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Demultiplexes an Ogg Opus file with one stream incrementally, page by page, in linear time and in memory for one
 * page and one packet.
 */
export class OggOpusReader {
  #rest: Uint8Array = new Uint8Array();
  /** Start of a packet that continues on the next page; only the length for a comment header. */
  #open: { readonly bytes: Uint8Array; readonly length: number } | null = null;
  #headers = 0;
  #head: OggOpusHead | null = null;
  #granules = 0;
  #emptyPages = 0;

  /** The stream's head; null until the first page has been read. */
  get head(): OggOpusHead | null {
    return this.#head;
  }

  /** 48 kHz samples at the end of the last page read, including the pre-skip. */
  get granules(): number {
    return this.#granules;
  }

  /**
   * @param bytes the next bytes of the file, split anywhere.
   * @returns the audio packets completed so far.
   * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`,
   *   `opus-invalid` (a packet larger than {@link MAX_PACKET_BYTES}).
   */
  push(bytes: Uint8Array): Uint8Array[] {
    return [...this.pages(bytes)].flat();
  }

  /** Yields the audio packets of each page, as {@link push}, while holding those of only one page. */
  *pages(bytes: Uint8Array): Generator<Uint8Array[]> {
    const all = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    let at = 0;
    for (let length = pageLength(all, at); length !== null; length = pageLength(all, at)) {
      const packets = this.#readPage(all, at);
      at += length;
      if (packets.length > 0) yield packets;
    }
    // A copy, because the caller may reuse its buffer. Not `slice`, which does not copy a Node Buffer.
    this.#rest = new Uint8Array(all.subarray(at));
  }

  /** @throws AudioFailure `truncated` in the middle of a page, or before the headers are complete. */
  end(): void {
    if (this.#rest.length > 0) readPage(this.#rest, 0);
    if (this.#headers < 2) throw new AudioFailure('truncated', 'no header packets');
  }

  #readPage(bytes: Uint8Array, at: number): Uint8Array[] {
    const page = readPage(bytes, at);
    const packets: Uint8Array[] = [];
    if ((page.flags & FLAG_CONTINUED) === 0) this.#open = null;
    for (const piece of page.pieces) {
      const packet = this.#continued(piece.bytes);
      this.#open = piece.isLast ? null : { ...packet, bytes: new Uint8Array(packet.bytes) };
      if (!piece.isLast) continue;
      if (this.#headers === 0) this.#head = readHead(packet.bytes);
      if (this.#headers < 2) this.#headers += 1;
      // A packet has at least one byte (RFC 6716, 3.1); an empty one carries no audio.
      else if (packet.length > 0) packets.push(packet.bytes);
    }
    if (page.granule >= 0) this.#granules = page.granule;
    this.#emptyPages = page.pieces.some(({ isLast }) => isLast) ? 0 : this.#emptyPages + 1;
    if (this.#emptyPages > MAX_EMPTY_PAGES) {
      throw new AudioFailure('page-corrupt', `${this.#emptyPages} pages without a packet`);
    }
    return packets;
  }

  /** Appends a piece to the open packet. @throws AudioFailure `opus-invalid` if it is too large */
  #continued(piece: Uint8Array): { bytes: Uint8Array; length: number } {
    const length = (this.#open?.length ?? 0) + piece.length;
    // The second header holds comments, which are ignored.
    const isComment = this.#headers === 1;
    if (length > (isComment ? MAX_COMMENT_BYTES : MAX_PACKET_BYTES)) {
      throw new AudioFailure('opus-invalid', `a packet of at least ${length} bytes`);
    }
    if (isComment) return { bytes: new Uint8Array(), length };
    return { bytes: this.#open ? joined(this.#open.bytes, piece) : piece, length };
  }
}

/**
 * Reads an Ogg Opus file with one stream.
 * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`, `opus-invalid`, `truncated`.
 */
export function demuxOgg(bytes: Uint8Array): OggOpus {
  const reader = new OggOpusReader();
  const packets = reader.push(bytes);
  reader.end();
  return { ...(reader.head as OggOpusHead), granules: reader.granules, packets };
}

function readHead(packet: Uint8Array): OggOpusHead {
  const channels = packet[9] ?? 0;
  if (!startsWith(packet, 'OpusHead') || packet.length < 19 || channels < 1 || channels > 2) {
    throw new AudioFailure(
      'not-opus',
      'the first packet is not an OpusHead of one or two channels',
    );
  }
  return { channels, preSkip: new DataView(packet.buffer, packet.byteOffset).getUint16(10, true) };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
