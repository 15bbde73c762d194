import { ascii, concat } from '../bytes.ts';
import { AudioFailure } from '../failure.ts';
import {
  PACKET_BYTES,
  PACKET_GRANULES,
  PACKETS_PER_CHUNK,
  PRE_SKIP_GRANULES,
  SAMPLE_RATE,
} from '../format.ts';
import { FLAG_FIRST, FLAG_LAST, writePage } from './page.ts';

/** The serial number of the file's only stream. It's fixed so that identical packets produce identical files. */
const STREAM_SERIAL = 0x4c4e4554;

/** Returns the OpusHead packet (RFC 7845, 5.1): magic, version 1, channels, pre-skip, input rate, gain 0, mapping 0. */
function opusHead(): Uint8Array {
  const bytes = new Uint8Array(19);
  const view = new DataView(bytes.buffer);
  bytes.set(ascii('OpusHead'));
  bytes[8] = 1;
  bytes[9] = 1;
  view.setUint16(10, PRE_SKIP_GRANULES, true);
  view.setUint32(12, SAMPLE_RATE, true);
  return bytes;
}

/** Returns the OpusTags packet (RFC 7845, 5.2): magic, vendor string, no comments. */
function opusTags(): Uint8Array {
  const vendor = ascii('Linnet');
  const bytes = new Uint8Array(8 + 4 + vendor.length + 4);
  bytes.set(ascii('OpusTags'));
  new DataView(bytes.buffer).setUint32(8, vendor.length, true);
  bytes.set(vendor, 12);
  return bytes;
}

/**
 * Writes recorder packets as an Ogg Opus stream, ten packets per page. The caller appends the result of each method to
 * the file, so only one page is held in memory.
 */
export class OggOpusMuxer {
  #sequence = 0;
  #granule = 0;
  #pending: Uint8Array[] = [];

  /** Returns the two header pages. Must be called once, before all other methods. */
  header(): Uint8Array<ArrayBuffer> {
    const head = this.#page([opusHead()], FLAG_FIRST);
    const tags = this.#page([opusTags()], 0);
    return concat([head, tags]);
  }

  /**
   * Writes complete packets. The newest page is held back until more packets follow or the stream ends, because the
   * last page of a stream needs a flag.
   * @throws AudioFailure `truncated` if `bytes` ends with an incomplete packet
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    if (bytes.length % PACKET_BYTES !== 0) {
      throw new AudioFailure('truncated', `${bytes.length} bytes are not complete packets`);
    }
    const pages: Uint8Array[] = [];
    for (let offset = 0; offset < bytes.length; offset += PACKET_BYTES) {
      if (this.#pending.length === PACKETS_PER_CHUNK) pages.push(this.#audioPage(0));
      // Copy the packet, because the caller may reuse its buffer before this page is written.
      this.#pending.push(new Uint8Array(bytes.subarray(offset, offset + PACKET_BYTES)));
    }
    return concat(pages);
  }

  /**
   * Returns the last page.
   * @param granules where the audio ends, including the pre-skip, if it ends before the last packet does (RFC 7845,
   *   4.4)
   */
  end(granules?: number): Uint8Array<ArrayBuffer> {
    return concat([this.#audioPage(FLAG_LAST, granules)]);
  }

  #audioPage(flags: number, granules?: number): Uint8Array {
    this.#granule = granules ?? this.#granule + this.#pending.length * PACKET_GRANULES;
    const page = this.#page(this.#pending, flags);
    this.#pending = [];
    return page;
  }

  #page(packets: readonly Uint8Array[], flags: number): Uint8Array {
    const sequence = this.#sequence++;
    return writePage({ flags, granule: this.#granule, serial: STREAM_SERIAL, sequence, packets });
  }
}

/** Writes a complete session's packets as an Ogg Opus file. */
export function muxOgg(packets: Uint8Array): Uint8Array<ArrayBuffer> {
  const muxer = new OggOpusMuxer();
  return concat([muxer.header(), muxer.push(packets), muxer.end()]);
}
