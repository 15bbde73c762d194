/**
 * Encodes and decodes frames, the envelopes for all messages. Frames form a byte stream that notifications and writes
 * can split anywhere. `PROTOCOL.md` describes the format.
 */
import { crc8, crc16 } from './crc.ts';
import { type Layout, readLayout, u8, u16, type ValueOf, writeLayout } from './layout.ts';

/** The two bytes that start every frame ("LN"). */
export const SYNC_MARKER = Uint8Array.of(0x4c, 0x4e);
/** The header fields between the sync marker and the header checksum. */
export const HEADER_LAYOUT = {
  versionAndFlags: u8,
  kind: u8,
  command: u8,
  sequence: u16,
  length: u16,
} as const satisfies Layout;
/** Size of the sync marker, header fields and header checksum, in bytes. */
export const HEADER_SIZE = 10;
/** Size of the CRC-16 at the end of a frame, in bytes. */
export const TRAILER_SIZE = 2;
/** Maximum payload in bytes. No message needs that much, so a header with a greater length is invalid. */
export const MAX_PAYLOAD = 2048;

/** The kinds of frames and their directions. */
export const FRAME_KINDS = {
  /** phone → recorder, followed by one response */
  request: 1,
  /** recorder → phone, with the request's command and sequence */
  response: 2,
  /** recorder → phone, unsolicited */
  report: 3,
  /** recorder → phone, part of a session, with the sequence of the request that started the stream */
  stream: 4,
  /** phone → recorder, progress of a stream, without a response */
  acknowledgement: 5,
  /** phone → recorder, part of a firmware image, with the sequence of `otaStart`, without a response */
  data: 6,
} as const;
export type FrameKind = keyof typeof FRAME_KINDS;

/** The four flag bits: 0 for a plain payload, bit 0 for a sealed payload. */
export const FLAGS_CLEAR = 0;
export const FLAG_SEALED = 1;

export interface Frame {
  /** The protocol version, from 1 to 15. */
  readonly version: number;
  readonly flags: number;
  readonly kind: FrameKind;
  readonly command: number;
  readonly sequence: number;
  readonly payload: Uint8Array;
}

const kindByNumber: ReadonlyMap<number, FrameKind> = new Map(
  Object.entries(FRAME_KINDS).map(([kind, number]) => [number, kind as FrameKind]),
);

/** Encodes the header fields for a payload of `length` bytes, without the sync marker and checksum. */
export function encodeHeader(frame: Omit<Frame, 'payload'>, length: number): Uint8Array {
  return writeLayout(HEADER_LAYOUT, {
    versionAndFlags: (frame.version << 4) | frame.flags,
    kind: FRAME_KINDS[frame.kind],
    command: frame.command,
    sequence: frame.sequence,
    length,
  });
}

/** Encodes a frame. @throws {RangeError} if the payload exceeds {@link MAX_PAYLOAD} */
export function encodeFrame(frame: Frame): Uint8Array {
  const { payload } = frame;
  if (payload.length > MAX_PAYLOAD) throw new RangeError('payload too long for a frame');
  const header = encodeHeader(frame, payload.length);
  const frameBytes = new Uint8Array(HEADER_SIZE + payload.length + TRAILER_SIZE);
  frameBytes.set(SYNC_MARKER, 0);
  frameBytes.set(header, SYNC_MARKER.length);
  frameBytes[HEADER_SIZE - 1] = crc8(header);
  frameBytes.set(payload, HEADER_SIZE);
  const check = crc16(frameBytes.subarray(SYNC_MARKER.length, HEADER_SIZE + payload.length));
  frameBytes[frameBytes.length - 2] = check & 0xff;
  frameBytes[frameBytes.length - 1] = check >> 8;
  return frameBytes;
}

/** Reads the header at `offset`. @returns undefined if its checksum or length is invalid */
function readHeader(source: Uint8Array, offset: number): ValueOf<typeof HEADER_LAYOUT> | undefined {
  const fields = source.subarray(offset + SYNC_MARKER.length, offset + HEADER_SIZE - 1);
  if (crc8(fields) !== source[offset + HEADER_SIZE - 1]) return undefined;
  const header = readLayout(HEADER_LAYOUT, fields);
  return header.length <= MAX_PAYLOAD ? header : undefined;
}

/**
 * Finds frames in a byte stream. Bytes outside valid frames are skipped one at a time, so a damaged frame doesn't
 * affect the next one. Valid frames of an unknown kind, which a newer peer may send, are skipped as a whole.
 */
export class FrameDecoder {
  private buffer = new Uint8Array(4 * (HEADER_SIZE + MAX_PAYLOAD + TRAILER_SIZE));
  private start = 0;
  private end = 0;
  private skipped = 0;
  /**
   * Number of bytes at the end of the last frame that may belong to the next frame's sync marker instead.
   * See {@link returnBorrowed}.
   */
  private borrowed: 0 | 1 | 2 = 0;

  /** Number of buffered bytes that don't form a complete frame yet. */
  get pending(): number {
    return this.end - this.start;
  }

  /** Total number of bytes that didn't belong to a valid frame. */
  get skippedBytes(): number {
    return this.skipped;
  }

  /** Appends bytes and returns the frames they complete, in order. Never throws. */
  push(bytes: Uint8Array): Frame[] {
    this.append(bytes);
    return this.drain();
  }

  /**
   * Discards the incomplete frame and searches the bytes after its marker for frames. Must be called after a timeout;
   * otherwise, the decoder would treat the following frames as the rest of a truncated frame.
   */
  abandon(): Frame[] {
    const frames: Frame[] = [];
    this.borrowed = 0;
    while (this.pending > 0) {
      this.skip(1);
      frames.push(...this.drain());
    }
    return frames;
  }

  private append(bytes: Uint8Array): void {
    if (this.end + bytes.length > this.buffer.length) {
      const retained = this.buffer.subarray(this.start - this.borrowed, this.end);
      const requiredSize = retained.length + bytes.length;
      const target =
        requiredSize > this.buffer.length ? new Uint8Array(2 * requiredSize) : this.buffer;
      target.set(retained);
      this.buffer = target;
      this.end = retained.length;
      this.start = this.borrowed;
    }
    this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }

  private skip(count: number): void {
    this.start += count;
    this.skipped += count;
  }

  private drain(): Frame[] {
    const frames: Frame[] = [];
    for (;;) {
      if (this.borrowed > 0 && !this.returnBorrowed()) return frames;
      this.skipToMarker();
      if (this.pending < HEADER_SIZE) return frames;
      const header = readHeader(this.buffer, this.start);
      if (!header) {
        this.skip(1);
        continue;
      }
      const size = HEADER_SIZE + header.length + TRAILER_SIZE;
      if (this.pending < size) return frames;
      if (!this.isBodyValid(header.length)) {
        this.skip(1);
        continue;
      }
      const kind = kindByNumber.get(header.kind);
      if (kind) frames.push(this.readFrame(header, kind));
      this.start += size;
      this.borrowed = this.markerBytesAtEnd();
    }
  }

  private markerBytesAtEnd(): 0 | 1 | 2 {
    const [before, last] = this.buffer.subarray(this.start - SYNC_MARKER.length, this.start);
    if (before === SYNC_MARKER[0] && last === SYNC_MARKER[1]) return 2;
    return last === SYNC_MARKER[0] ? 1 : 0;
  }

  /**
   * Returns the borrowed bytes to the next frame if they belong to it: a frame may have lost its last bytes in transit,
   * and the next frame's sync marker, which happens to equal them, completes it.
   * @returns false if more bytes are needed to decide
   */
  private returnBorrowed(): boolean {
    if (this.pending === 0) return true;
    const isMarker = this.borrowed === 2 || this.buffer[this.start] === SYNC_MARKER[1];
    if (isMarker && this.pending < HEADER_SIZE - this.borrowed) return false;
    if (isMarker && readHeader(this.buffer, this.start - this.borrowed))
      this.start -= this.borrowed;
    this.borrowed = 0;
    return true;
  }

  private skipToMarker(): void {
    while (this.pending > 0) {
      const matchesFirst = this.buffer[this.start] === SYNC_MARKER[0];
      const matchesSecond = this.pending === 1 || this.buffer[this.start + 1] === SYNC_MARKER[1];
      if (matchesFirst && matchesSecond) return;
      this.skip(1);
    }
  }

  private isBodyValid(length: number): boolean {
    const bodyEnd = this.start + HEADER_SIZE + length;
    const check = crc16(this.buffer.subarray(this.start + SYNC_MARKER.length, bodyEnd));
    return this.buffer[bodyEnd] === (check & 0xff) && this.buffer[bodyEnd + 1] === check >> 8;
  }

  private readFrame(header: ValueOf<typeof HEADER_LAYOUT>, kind: FrameKind): Frame {
    const body = this.start + HEADER_SIZE;
    return createFrame(header, kind, this.buffer.slice(body, body + header.length));
  }
}

function createFrame(
  { versionAndFlags, command, sequence }: ValueOf<typeof HEADER_LAYOUT>,
  kind: FrameKind,
  payload: Uint8Array,
): Frame {
  return {
    version: versionAndFlags >> 4,
    flags: versionAndFlags & 0xf,
    kind,
    command,
    sequence,
    payload,
  };
}

/** Decodes a single encoded frame. @throws {RangeError} if the bytes aren't exactly one frame */
export function decodeFrame(encoded: Uint8Array): Frame {
  const header = readHeader(encoded, 0);
  const kind = header && kindByNumber.get(header.kind);
  const size = HEADER_SIZE + (header?.length ?? 0) + TRAILER_SIZE;
  if (!header || !kind || encoded.length !== size) throw new RangeError('not exactly one frame');
  return createFrame(header, kind, encoded.subarray(HEADER_SIZE, size - TRAILER_SIZE));
}
