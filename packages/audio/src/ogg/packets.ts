import { concat } from '../bytes.ts';
import { AudioFailure } from '../failure.ts';
import { FLAG_CONTINUED, type ReadPage } from './page.ts';

/**
 * Maximum size of an audio packet in bytes, for both the demuxers and the decoder. Streams with larger packets are
 * rejected. The largest Opus frame is 1275 bytes long (RFC 6716, 3.2.1).
 */
export const MAX_PACKET_BYTES = 1_500;

/** Maximum size of the comment header in bytes. The header is skipped, but may contain a cover picture. */
const MAX_COMMENT_BYTES = 16 * 1024 * 1024;

/** Maximum number of consecutive pages on which no packet ends. Encoders occasionally write such a page. */
const MAX_EMPTY_PAGES = 1_000;

/** Reassembles packets that span several pages of a stream. */
export class PacketAssembler {
  /** The start of a packet that continues on the next page. For the comment header, only its length is tracked. */
  #openPacket: { readonly bytes: Uint8Array; readonly length: number } | null = null;
  #emptyPages = 0;

  /** Drops the beginning of a packet whose continuation page is missing. */
  dropOpenPacket(): void {
    this.#openPacket = null;
  }

  /**
   * Returns the packets that end on the stream's next page, except those whose beginning is missing. Only the first
   * piece of the comment header is included.
   * @throws AudioFailure `opus-invalid` (a packet larger than {@link MAX_PACKET_BYTES}), `page-corrupt` (too many pages
   *   on which no packet ends)
   */
  push(page: ReadPage): Uint8Array[] {
    const isContinued = (page.flags & FLAG_CONTINUED) !== 0;
    if (!isContinued) this.#openPacket = null;
    const packets: Uint8Array[] = [];
    for (const [index, piece] of page.pieces.entries()) {
      if (index === 0 && isContinued && !this.#openPacket) continue;
      const packet = this.#append(piece.bytes);
      // Copy the bytes, because the caller may reuse its buffer.
      this.#openPacket = piece.isLast ? null : { ...packet, bytes: new Uint8Array(packet.bytes) };
      if (piece.isLast) packets.push(packet.bytes);
    }
    this.#emptyPages = page.pieces.some(({ isLast }) => isLast) ? 0 : this.#emptyPages + 1;
    if (this.#emptyPages > MAX_EMPTY_PAGES) {
      throw new AudioFailure('page-corrupt', `${this.#emptyPages} pages without a packet`);
    }
    return packets;
  }

  #append(piece: Uint8Array): { bytes: Uint8Array; length: number } {
    const first = this.#openPacket?.bytes ?? piece;
    const length = (this.#openPacket?.length ?? 0) + piece.length;
    const isComment = isCommentHeader(first);
    if (length > (isComment ? MAX_COMMENT_BYTES : MAX_PACKET_BYTES)) {
      throw new AudioFailure('opus-invalid', `a packet of at least ${length} bytes`);
    }
    return {
      bytes: this.#openPacket && !isComment ? concat([first, piece]) : first,
      length,
    };
  }
}

/** Returns whether a packet is an Opus stream's comment header (RFC 7845, 5.2). */
export const isCommentHeader = (packet: Uint8Array): boolean => startsWith(packet, 'OpusTags');

/** Returns whether `bytes` starts with this ASCII string. */
export const startsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && [...text].every((c, i) => bytes[i] === c.charCodeAt(0));
