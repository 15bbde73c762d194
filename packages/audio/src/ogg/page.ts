import { AudioFailure } from '../failure.ts';

/**
 * A page of an Ogg stream (RFC 3533, section 6). Fields in wire order, little-endian:
 *
 *   0 "OggS" · 4 version · 5 flags · 6 granule (i64) · 14 serial (u32) · 18 sequence (u32)
 *   22 checksum (u32) · 26 segment count · 27 segment table · body
 */
export type OggPage = {
  readonly flags: number;
  /** End position of the last packet completed on this page, in 48 kHz samples, or -1 if no packet is completed. */
  readonly granule: number;
  readonly serial: number;
  readonly sequence: number;
  readonly packets: readonly Uint8Array[];
  /**
   * True if the last packet continues on the next page. If so, its part on this page must be a multiple of 255 bytes.
   */
  readonly continues?: boolean;
};

export const FLAG_CONTINUED = 1;
export const FLAG_FIRST = 2;
export const FLAG_LAST = 4;

const PAGE_HEADER_BYTES = 27;
const CHECKSUM_OFFSET = 22;
const CAPTURE = [0x4f, 0x67, 0x67, 0x53] as const;

/** The polynomial of the Ogg checksum: no reflection, initial value 0 (RFC 3533, section 6). */
const POLYNOMIAL = 0x04c11db7;
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc;
});

function checksum(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 255] as number);
  return crc >>> 0;
}

/** Serializes a page. */
export function writePage(page: OggPage): Uint8Array<ArrayBuffer> {
  const lacing: number[] = [];
  for (const [index, packet] of page.packets.entries()) {
    const isContinued = page.continues === true && index === page.packets.length - 1;
    for (let remaining = packet.length; ; remaining -= 255) {
      if (isContinued && remaining === 0) break;
      lacing.push(Math.min(remaining, 255));
      if (remaining < 255) break;
    }
  }
  const bodyBytes = page.packets.reduce((sum, packet) => sum + packet.length, 0);
  const bytes = new Uint8Array(PAGE_HEADER_BYTES + lacing.length + bodyBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(CAPTURE);
  bytes[5] = page.flags;
  view.setBigInt64(6, BigInt(page.granule), true);
  view.setUint32(14, page.serial, true);
  view.setUint32(18, page.sequence, true);
  bytes[26] = lacing.length;
  bytes.set(lacing, PAGE_HEADER_BYTES);
  let offset = PAGE_HEADER_BYTES + lacing.length;
  for (const packet of page.packets) {
    bytes.set(packet, offset);
    offset += packet.length;
  }
  view.setUint32(CHECKSUM_OFFSET, checksum(bytes), true);
  return bytes;
}

/** A parsed page. Its packets may begin or end on neighboring pages. */
export type ReadPage = {
  readonly flags: number;
  readonly granule: number;
  readonly serial: number;
  readonly sequence: number;
  /** The pieces of packets on this page. `isLast` marks a packet's last piece. */
  readonly pieces: readonly { readonly bytes: Uint8Array; readonly isLast: boolean }[];
  /** The offset just past this page. */
  readonly end: number;
};

/**
 * Returns the length of the page at `offset` in bytes, or null if it's incomplete.
 * @throws AudioFailure `not-ogg` if the page doesn't start with the capture pattern
 */
export function pageLength(bytes: Uint8Array, offset: number): number | null {
  const tableOffset = offset + PAGE_HEADER_BYTES;
  if (bytes.length < tableOffset) return null;
  if (!isPage(bytes, offset)) throw new AudioFailure('not-ogg', `no page at byte ${offset}`);
  const bodyOffset = tableOffset + (bytes[offset + 26] as number);
  if (bytes.length < bodyOffset) return null;
  const end =
    bodyOffset + bytes.subarray(tableOffset, bodyOffset).reduce((sum, size) => sum + size, 0);
  return bytes.length < end ? null : end - offset;
}

const isPage = (bytes: Uint8Array, offset: number): boolean =>
  CAPTURE.every((byte, index) => bytes[offset + index] === byte);

/**
 * Returns the first offset, at or after `offset`, where a page may start: the position of a capture pattern, even if
 * `bytes` ends within the pattern. Returns the length of `bytes` if there is no such position.
 */
export function findPage(bytes: Uint8Array, offset: number): number {
  for (let start = bytes.indexOf(CAPTURE[0], offset); start >= 0; ) {
    const available = Math.min(CAPTURE.length, bytes.length - start);
    if (CAPTURE.slice(0, available).every((byte, n) => bytes[start + n] === byte)) return start;
    start = bytes.indexOf(CAPTURE[0], start + 1);
  }
  return bytes.length;
}

/**
 * Reads the page at `offset`.
 * @throws AudioFailure `not-ogg` if the page doesn't start with the capture pattern, `truncated` if it's incomplete,
 *   `page-corrupt` if the checksum is wrong
 */
export function readPage(bytes: Uint8Array, offset: number): ReadPage {
  if (!isPage(bytes, offset)) throw new AudioFailure('not-ogg', `no page at byte ${offset}`);
  const segments = bytes[offset + 26];
  const tableOffset = offset + PAGE_HEADER_BYTES;
  if (segments === undefined || tableOffset + segments > bytes.length) {
    throw new AudioFailure('truncated', `page header at byte ${offset}`);
  }
  const table = bytes.subarray(tableOffset, tableOffset + segments);
  const bodyOffset = tableOffset + segments;
  const end = bodyOffset + table.reduce((sum, size) => sum + size, 0);
  if (end > bytes.length) throw new AudioFailure('truncated', `page body at byte ${offset}`);

  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // `slice` would not copy a Node Buffer.
  const copy = new Uint8Array(bytes.subarray(offset, end));
  copy.fill(0, CHECKSUM_OFFSET, CHECKSUM_OFFSET + 4);
  if (checksum(copy) !== view.getUint32(offset + CHECKSUM_OFFSET, true)) {
    throw new AudioFailure('page-corrupt', `page at byte ${offset}`);
  }

  const pieces: { bytes: Uint8Array; isLast: boolean }[] = [];
  let start = bodyOffset;
  let pieceEnd = bodyOffset;
  for (const size of table) {
    pieceEnd += size;
    if (size < 255) {
      pieces.push({ bytes: bytes.subarray(start, pieceEnd), isLast: true });
      start = pieceEnd;
    }
  }
  if (start < pieceEnd) pieces.push({ bytes: bytes.subarray(start, pieceEnd), isLast: false });
  return {
    flags: bytes[offset + 5] as number,
    granule: Number(view.getBigInt64(offset + 6, true)),
    serial: view.getUint32(offset + 14, true),
    sequence: view.getUint32(offset + 18, true),
    pieces,
    end,
  };
}
