import { ascii, concat } from '../bytes.ts';
import { AudioFailure } from '../failure.ts';
import { isCommentHeader } from '../ogg/packets.ts';
import { type ReadPage, readPage, writePage } from '../ogg/page.ts';
import { type AudioTags, encodeText, formatLocal, SOFTWARE, type TaggedBeginning } from './text.ts';

/** Maximum size of a packet that fits on a single page, in bytes. */
const MAX_PAGE_BYTES = 255 * 255 - 1;

const decoder = new TextDecoder('latin1');

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

const withLength = (bytes: Uint8Array) => concat([u32(bytes.length), bytes]);

/**
 * Reads the vendor and the comments of an OpusTags packet (RFC 7845, 5.2).
 * @returns null if the packet is damaged
 */
function readComments(packet: Uint8Array): { vendor: Uint8Array; comments: Uint8Array[] } | null {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  let offset = 8;
  const readNumber = () => {
    const value = offset + 4 <= packet.length ? view.getUint32(offset, true) : -1;
    offset += 4;
    return value;
  };
  const readBytes = () => {
    const length = readNumber();
    if (length < 0 || offset + length > packet.length) return null;
    offset += length;
    return packet.subarray(offset - length, offset);
  };
  const vendor = readBytes();
  const count = readNumber();
  if (!vendor || count < 0) return null;
  const comments: Uint8Array[] = [];
  for (let n = 0; n < count; n += 1) {
    const comment = readBytes();
    if (!comment) return null;
    comments.push(comment);
  }
  return { vendor, comments };
}

/**
 * Replaces the title, artist and date in the comment header of an Ogg Opus file, and keeps all other comments. The
 * number of pages stays the same, so the following pages don't need to change.
 * @param beginning the first bytes of the file
 * @returns the new first pages and the number of bytes they replace, or null if the file isn't Ogg Opus or its comments
 *   span several pages
 */
export function tagOgg(
  beginning: Uint8Array,
  { title, artist, date }: AudioTags,
): TaggedBeginning | null {
  const first = tryReadPage(beginning, 0);
  const secondPage = first && tryReadPage(beginning, first.end);
  const [packet, next] = secondPage?.pieces ?? [];
  if (!first || !secondPage || !packet?.isLast || next || !isCommentHeader(packet.bytes))
    return null;
  const existing = readComments(packet.bytes);
  if (!existing) return null;
  const others = existing.comments.filter(
    (comment) => !/^(?:title|artist|date|encoder)=/i.test(decoder.decode(comment.subarray(0, 8))),
  );
  const artistText = encodeText(artist);
  const comments = [
    ascii(`DATE=${formatLocal(date)}`),
    concat([ascii('TITLE='), encodeText(title)]),
    ...(artistText.length > 0 ? [concat([ascii('ARTIST='), artistText])] : []),
    ascii(`ENCODER=${SOFTWARE}`),
    ...others,
  ];
  const tags = concat([
    ascii('OpusTags'),
    withLength(existing.vendor),
    u32(comments.length),
    ...comments.map(withLength),
  ]);
  if (tags.length > MAX_PAGE_BYTES) return null;
  const { flags, granule, serial, sequence } = secondPage;
  const page = writePage({ flags, granule, serial, sequence, packets: [tags] });
  return { head: concat([beginning.subarray(0, first.end), page]), replacedBytes: secondPage.end };
}

/** Returns the page at `offset`, or null if it's damaged or incomplete. */
function tryReadPage(bytes: Uint8Array, offset: number): ReadPage | null {
  try {
    return readPage(bytes, offset);
  } catch (error) {
    if (error instanceof AudioFailure) return null;
    throw error;
  }
}
