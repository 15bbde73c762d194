import { AudioFailure } from '../failure.ts';
import { FLAG_CONTINUED, pageLength, readPage } from './page.ts';

/** The contents of an Ogg Opus file. */
export type OggOpus = {
  readonly channels: number;
  /** 48 kHz samples to drop at the start. */
  readonly preSkip: number;
  /** Where the audio ends, in 48 kHz samples including the pre-skip. */
  readonly granules: number;
  /** The audio packets. They are views into the file's bytes, except for packets that span several pages. */
  readonly packets: readonly Uint8Array[];
};

/** The metadata in a stream's first packet. */
export type OggOpusHead = Pick<OggOpus, 'channels' | 'preSkip'>;

const startsWith = (bytes: Uint8Array, text: string) =>
  bytes.length >= text.length && [...text].every((c, i) => bytes[i] === c.charCodeAt(0));

/**
 * Maximum size of an audio packet in bytes, for both the demuxer and the decoder. A stream with a larger packet is
 * rejected. The largest Opus frame has 1275 bytes (RFC 6716, 3.2.1).
 */
export const MAX_PACKET_BYTES = 1_500;

/** Maximum size of the comment header in bytes. It's skipped, but may contain a cover picture. */
const MAX_COMMENT_BYTES = 16 * 1024 * 1024;

/** Maximum number of consecutive pages in which no packet ends. Encoders occasionally write one. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Extracts the packets of an Ogg Opus file that is read piece by piece. The file must contain a single stream. Runs in
 * linear time and holds at most one page and one packet in memory.
 */
export class OggOpusReader {
  #unread: Uint8Array = new Uint8Array();
  /** The start of a packet that continues on the next page. For the comment header, only its length is tracked. */
  #openPacket: { readonly bytes: Uint8Array; readonly length: number } | null = null;
  #headerCount = 0;
  #head: OggOpusHead | null = null;
  #granules = 0;
  #emptyPages = 0;

  /** The stream's head, or null until the first page has been read. */
  get head(): OggOpusHead | null {
    return this.#head;
  }

  /** Where the last page that was read ends, in 48 kHz samples including the pre-skip. */
  get granules(): number {
    return this.#granules;
  }

  /**
   * Reads the next bytes of the file, which may be split anywhere, and returns the completed audio packets.
   * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`,
   *   `opus-invalid` (a packet larger than {@link MAX_PACKET_BYTES})
   */
  push(bytes: Uint8Array): Uint8Array[] {
    return [...this.pages(bytes)].flat();
  }

  /** Like {@link push}, but yields the audio packets page by page, so that only one page's packets are in memory. */
  *pages(bytes: Uint8Array): Generator<Uint8Array[]> {
    const all = this.#unread.length === 0 ? bytes : concatBytes(this.#unread, bytes);
    let offset = 0;
    for (let length = pageLength(all, offset); length !== null; length = pageLength(all, offset)) {
      const packets = this.#readPage(all, offset);
      offset += length;
      if (packets.length > 0) yield packets;
    }
    // Copy the bytes, because the caller may reuse its buffer. `slice` would not copy a Node Buffer.
    this.#unread = new Uint8Array(all.subarray(offset));
  }

  /** Checks that the file is complete. @throws AudioFailure `truncated` if it ends within a page or the headers */
  end(): void {
    if (this.#unread.length > 0) readPage(this.#unread, 0);
    if (this.#headerCount < 2) throw new AudioFailure('truncated', 'no header packets');
  }

  #readPage(bytes: Uint8Array, offset: number): Uint8Array[] {
    const page = readPage(bytes, offset);
    const packets: Uint8Array[] = [];
    if ((page.flags & FLAG_CONTINUED) === 0) this.#openPacket = null;
    for (const piece of page.pieces) {
      const packet = this.#appendPiece(piece.bytes);
      this.#openPacket = piece.isLast ? null : { ...packet, bytes: new Uint8Array(packet.bytes) };
      if (!piece.isLast) continue;
      if (this.#headerCount === 0) this.#head = readHead(packet.bytes);
      if (this.#headerCount < 2) this.#headerCount += 1;
      // An Opus packet has at least one byte (RFC 6716, 3.1), so an empty packet contains no audio.
      else if (packet.length > 0) packets.push(packet.bytes);
    }
    if (page.granule >= 0) this.#granules = page.granule;
    this.#emptyPages = page.pieces.some(({ isLast }) => isLast) ? 0 : this.#emptyPages + 1;
    if (this.#emptyPages > MAX_EMPTY_PAGES) {
      throw new AudioFailure('page-corrupt', `${this.#emptyPages} pages without a packet`);
    }
    return packets;
  }

  /** Appends a piece to the open packet. @throws AudioFailure `opus-invalid` if the packet is too large */
  #appendPiece(piece: Uint8Array): { bytes: Uint8Array; length: number } {
    const length = (this.#openPacket?.length ?? 0) + piece.length;
    // The second packet is the comment header. Its contents are ignored.
    const isComment = this.#headerCount === 1;
    if (length > (isComment ? MAX_COMMENT_BYTES : MAX_PACKET_BYTES)) {
      throw new AudioFailure('opus-invalid', `a packet of at least ${length} bytes`);
    }
    if (isComment) return { bytes: new Uint8Array(), length };
    return { bytes: this.#openPacket ? concatBytes(this.#openPacket.bytes, piece) : piece, length };
  }
}

/**
 * Reads a complete Ogg Opus file with a single stream.
 * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`, `opus-invalid`, `truncated`
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

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
