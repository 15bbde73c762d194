import { AudioFailure } from '../failure.ts';
import { FLAG_CONTINUED, readPage } from './page.ts';

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

const startsWith = (bytes: Uint8Array, text: string) =>
  bytes.length >= text.length && [...text].every((c, i) => bytes[i] === c.charCodeAt(0));

/**
 * Reads an Ogg Opus file with one stream.
 * @throws AudioFailure `not-ogg`, `not-opus` (no mono or stereo OpusHead), `page-corrupt`, `truncated`.
 */
export function demuxOgg(bytes: Uint8Array): OggOpus {
  const packets: Uint8Array[] = [];
  let open: Uint8Array | null = null;
  let granules = 0;
  for (let at = 0; at < bytes.length; ) {
    const page = readPage(bytes, at);
    if ((page.flags & FLAG_CONTINUED) === 0) open = null;
    for (const piece of page.pieces) {
      const packet: Uint8Array = open ? joined(open, piece.bytes) : piece.bytes;
      open = piece.whole ? null : packet;
      if (piece.whole) packets.push(packet);
    }
    if (page.granule >= 0) granules = page.granule;
    at = page.end;
  }
  const [head, tags, ...audio] = packets;
  if (!head || !tags) throw new AudioFailure('truncated', 'no header packets');
  const channels = head[9] ?? 0;
  if (!startsWith(head, 'OpusHead') || head.length < 19 || channels < 1 || channels > 2) {
    throw new AudioFailure(
      'not-opus',
      'the first packet is not an OpusHead of one or two channels',
    );
  }
  const preSkip = new DataView(head.buffer, head.byteOffset).getUint16(10, true);
  return { channels, preSkip, granules, packets: audio };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
