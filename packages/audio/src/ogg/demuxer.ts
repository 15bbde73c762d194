import { concat } from '../bytes.ts';
import { AudioFailure } from '../failure.ts';
import { PacketAssembler, startsWith } from './packets.ts';
import { FLAG_FIRST, pageLength, readPage } from './page.ts';

/** The contents of an Ogg Opus file. */
export type OggOpus = {
  readonly channels: number;
  /** Number of 48 kHz samples to drop at the start. */
  readonly preSkip: number;
  /** End position of the audio, in 48 kHz samples including the pre-skip. */
  readonly granules: number;
  /** The audio packets. They are views into the file's bytes, except for packets that span several pages. */
  readonly packets: readonly Uint8Array[];
};

/** The metadata in a stream's first packet. */
export type OggOpusHead = Pick<OggOpus, 'channels' | 'preSkip'>;

/**
 * Extracts packets from an Ogg Opus file piece by piece. The file must be intact and contain a single stream, as in
 * recordings written by Linnet; use `OggScanner` for other files. Runs in linear time and holds at most one page and
 * one packet in memory.
 */
export class OggOpusReader {
  #unread: Uint8Array = new Uint8Array();
  readonly #assembler = new PacketAssembler();
  #headerCount = 0;
  #head: OggOpusHead | null = null;
  #granules = 0;

  /** The stream's OpusHead, or null until the first page has been read. */
  get head(): OggOpusHead | null {
    return this.#head;
  }

  /** End position of the last page read so far, in 48 kHz samples including the pre-skip. */
  get granules(): number {
    return this.#granules;
  }

  /**
   * Reads the next bytes of the file, which may be split anywhere, and returns the completed audio packets.
   * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead, or several streams), `page-corrupt`,
   *   `opus-invalid` (a packet that is too large)
   */
  push(bytes: Uint8Array): Uint8Array[] {
    return [...this.pages(bytes)].flat();
  }

  /** Like {@link push}, but yields the audio packets page by page, so that only one page's packets are in memory. */
  *pages(bytes: Uint8Array): Generator<Uint8Array[]> {
    const all = this.#unread.length === 0 ? bytes : concat([this.#unread, bytes]);
    let offset = 0;
    for (let length = pageLength(all, offset); length !== null; length = pageLength(all, offset)) {
      const packets = this.#readPage(all, offset);
      offset += length;
      if (packets.length > 0) yield packets;
    }
    // Copy the bytes, because the caller may reuse its buffer. `slice` would not copy a Node Buffer.
    this.#unread = new Uint8Array(all.subarray(offset));
  }

  /**
   * Checks that the file is complete. @throws AudioFailure `truncated` if it ends within a page or within the headers
   */
  end(): void {
    if (this.#unread.length > 0) readPage(this.#unread, 0);
    if (this.#headerCount < 2) throw new AudioFailure('truncated', 'no header packets');
  }

  #readPage(bytes: Uint8Array, offset: number): Uint8Array[] {
    const page = readPage(bytes, offset);
    if ((page.flags & FLAG_FIRST) !== 0 && this.#head) {
      throw new AudioFailure('not-opus', 'several streams');
    }
    const packets: Uint8Array[] = [];
    for (const packet of this.#assembler.push(page)) {
      if (this.#headerCount === 0) this.#head = readHead(packet);
      if (this.#headerCount < 2) this.#headerCount += 1;
      // An Opus packet has at least one byte (RFC 6716, 3.1), so skip empty packets.
      else if (packet.length > 0) packets.push(packet);
    }
    if (page.granule >= 0) this.#granules = page.granule;
    return packets;
  }
}

/**
 * Reads a complete Ogg Opus file with a single stream.
 * @throws AudioFailure as for {@link OggOpusReader.push}, or `truncated`
 */
export function demuxOgg(bytes: Uint8Array): OggOpus {
  const reader = new OggOpusReader();
  const packets = reader.push(bytes);
  reader.end();
  return { ...(reader.head as OggOpusHead), granules: reader.granules, packets };
}

/**
 * Reads the first packet of an Opus stream (RFC 7845, 5.1).
 * @throws AudioFailure `not-opus` for other codecs or more than two channels
 */
export function readHead(packet: Uint8Array): OggOpusHead {
  const channels = packet[9] ?? 0;
  if (!startsWith(packet, 'OpusHead') || packet.length < 19 || channels < 1 || channels > 2) {
    throw new AudioFailure(
      'not-opus',
      'the first packet is not an OpusHead of one or two channels',
    );
  }
  return { channels, preSkip: new DataView(packet.buffer, packet.byteOffset).getUint16(10, true) };
}
