/** Checks the structure of MP3 files, to detect files that lost bytes in transit. */

/** Layer III bit rates in kbit/s by index, for MPEG-1, and for MPEG-2 and 2.5. 0 means invalid. */
const bitRates = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
} as const;
/** Sample rates in Hz by index, by the version's two bits. */
const sampleRates: Readonly<Record<number, readonly number[]>> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
};
/** The maximum frame length in bytes. */
const MAX_FRAME_BYTES = 2881;
/** The size of a frame header in bytes. */
const HEADER_BYTES = 4;
/**
 * The bits of a header that are the same in all frames of a file: synchronization, version, layer and sample rate.
 */
const SAME_BITS = 0xfffe0c00;
/** Returns the length in bytes of the frame with this header, or null if it isn't a layer III header. */
function frameLength(header: number): number | null {
  const version = (header >>> 19) & 3;
  const sampleRate = sampleRates[version]?.[(header >>> 10) & 3];
  const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1;
  const rates = version === 3 ? bitRates.one : bitRates.two;
  const bitRate = rates[(header >>> 12) & 15] ?? 0;
  if (!isLayer3 || sampleRate === undefined || bitRate === 0) return null;
  const padding = (header >>> 9) & 1;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * bitRate) / sampleRate) + padding;
}

/** Returns the size in bytes of an ID3 tag at the start, or 0 without one. */
function tagBytes(bytes: Uint8Array): number {
  const isTag = bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33 && bytes.length >= 10;
  if (!isTag) return 0;
  // Each byte of the size has seven bits. The size excludes the tag's header.
  return 10 + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
}

/** Returns whether frames follow each other without a gap from an offset to the end. The last may be incomplete. */
function isChain(view: DataView, start: number): boolean {
  const first = view.getUint32(start);
  for (let offset = start; offset + HEADER_BYTES <= view.byteLength; ) {
    const header = view.getUint32(offset);
    const length = frameLength(header);
    if (length === null || ((header ^ first) & SAME_BITS) !== 0) return false;
    offset += length;
  }
  return true;
}

/**
 * Returns whether the bytes are an unbroken sequence of MP3 frames, optionally after a tag or the end of another frame.
 */
export function isWholeMp3(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = tagBytes(bytes);
  for (let start = begin; start + HEADER_BYTES <= bytes.length; start += 1) {
    const length = frameLength(view.getUint32(start));
    if (length !== null && start - begin < length && start + length <= bytes.length) {
      if (isChain(view, start)) return true;
    }
    if (start - begin > MAX_FRAME_BYTES) return false;
  }
  return false;
}
