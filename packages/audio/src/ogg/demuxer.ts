import { AudioFailure } from '../failure.ts';
import { FLAG_CONTINUED, pageLength, readPage } from './page.ts';

/** An Ogg Opus file, taken apart. */
export type OggOpus = {
  readonly channels: number;
  /** 48 kHz samples to drop at the start. */
  readonly preSkip: number;
  /** 48 kHz samples at the end of the last page, pre-skip included. */
  readonly granules: number;
  /** Audio packets; views into the file's bytes wherever a packet lies in one page. */
  readonly packets: readonly Uint8Array[];
};

/** What the first packet of a stream says. */
export type OggOpusHead = Pick<OggOpus, 'channels' | 'preSkip'>;

const startsWith = (bytes: Uint8Array, text: string) =>
  bytes.length >= text.length && [...text].every((c, i) => bytes[i] === c.charCodeAt(0));

/** Takes an Ogg Opus file with one stream apart as its bytes come, page by page. */
export class OggOpusReader {
  #rest: Uint8Array = new Uint8Array();
  #open: Uint8Array | null = null;
  #headers = 0;
  #head: OggOpusHead | null = null;
  #granules = 0;

  /** Known once the first page came. */
  get head(): OggOpusHead | null {
    return this.#head;
  }

  /** 48 kHz samples at the end of the last page that came, pre-skip included. */
  get granules(): number {
    return this.#granules;
  }

  /**
   * @param bytes the next of the file, cut anywhere.
   * @returns the audio packets that are whole by now.
   * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`.
   */
  push(bytes: Uint8Array): Uint8Array[] {
    const all = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    const packets: Uint8Array[] = [];
    let at = 0;
    for (let length = pageLength(all, at); length !== null; length = pageLength(all, at)) {
      this.#readPage(all, at, packets);
      at += length;
    }
    // A copy, not `slice`, which for Node's Buffer is none: the caller may reuse its buffer.
    this.#rest = new Uint8Array(all.subarray(at));
    return packets;
  }

  /** @throws AudioFailure `truncated` in the middle of a page, or before the headers were there. */
  end(): void {
    if (this.#rest.length > 0) readPage(this.#rest, 0);
    if (this.#headers < 2) throw new AudioFailure('truncated', 'no header packets');
  }

  #readPage(bytes: Uint8Array, at: number, packets: Uint8Array[]): void {
    const page = readPage(bytes, at);
    if ((page.flags & FLAG_CONTINUED) === 0) this.#open = null;
    for (const piece of page.pieces) {
      const packet: Uint8Array = this.#open ? joined(this.#open, piece.bytes) : piece.bytes;
      this.#open = piece.whole ? null : new Uint8Array(packet);
      if (!piece.whole) continue;
      if (this.#headers === 0) this.#head = readHead(packet);
      // The second header holds comments.
      if (this.#headers < 2) this.#headers += 1;
      else packets.push(packet);
    }
    if (page.granule >= 0) this.#granules = page.granule;
  }
}

/**
 * Reads an Ogg Opus file with one stream.
 * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`, `truncated`.
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
