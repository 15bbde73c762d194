/**
 * The frame: the envelope of every message, in a byte stream that notifications and writes cut
 * wherever they like. `PROTOCOL.md` draws it.
 */
import { crc8, crc16 } from './crc.ts';
import { type Layout, readLayout, u8, u16, type ValueOf, writeLayout } from './layout.ts';

/** "LN". */
export const SYNC_MARKER = Uint8Array.of(0x4c, 0x4e);
/** Behind the sync marker, in front of the header check. */
export const HEADER_LAYOUT = {
  versionAndFlags: u8,
  kind: u8,
  command: u8,
  sequence: u16,
  length: u16,
} as const satisfies Layout;
/** Sync marker, header fields, header check. */
export const HEADER_SIZE = 10;
/** The CRC-16 at the end. */
export const TRAILER_SIZE = 2;
/** More than any message needs; a header that claims more is not a header. */
export const MAX_PAYLOAD = 2048;

/** Who may send what. */
export const FRAME_KINDS = {
  /** phone → recorder, answered by one response */
  request: 1,
  /** recorder → phone, with the request's command and sequence */
  response: 2,
  /** recorder → phone, unasked */
  report: 3,
  /** recorder → phone, part of a session, with the sequence of the request that opened the stream */
  stream: 4,
  /** phone → recorder, progress of a stream, unanswered */
  acknowledgement: 5,
  /** phone → recorder, part of an image, with the sequence of the request that announced it, unanswered */
  data: 6,
} as const;
export type FrameKind = keyof typeof FRAME_KINDS;

/** The four flag bits: none in clear, bit 0 for a sealed payload. */
export const FLAGS_CLEAR = 0;
export const FLAG_SEALED = 1;

export interface Frame {
  /** Protocol version, 1 to 15. */
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

/** The fields between sync marker and header check, for a payload of `length` bytes. */
export function headerOf(frame: Omit<Frame, 'payload'>, length: number): Uint8Array {
  return writeLayout(HEADER_LAYOUT, {
    versionAndFlags: (frame.version << 4) | frame.flags,
    kind: FRAME_KINDS[frame.kind],
    command: frame.command,
    sequence: frame.sequence,
    length,
  });
}

/** @throws {RangeError} when the payload exceeds {@link MAX_PAYLOAD} */
export function encodeFrame(frame: Frame): Uint8Array {
  const { payload } = frame;
  if (payload.length > MAX_PAYLOAD) throw new RangeError('payload too long for a frame');
  const header = headerOf(frame, payload.length);
  const out = new Uint8Array(HEADER_SIZE + payload.length + TRAILER_SIZE);
  out.set(SYNC_MARKER, 0);
  out.set(header, SYNC_MARKER.length);
  out[HEADER_SIZE - 1] = crc8(header);
  out.set(payload, HEADER_SIZE);
  const check = crc16(out.subarray(SYNC_MARKER.length, HEADER_SIZE + payload.length));
  out[out.length - 2] = check & 0xff;
  out[out.length - 1] = check >> 8;
  return out;
}

/** A header at `offset` of `source`, if its check agrees and its length is possible. */
function headerAt(source: Uint8Array, offset: number): ValueOf<typeof HEADER_LAYOUT> | undefined {
  const fields = source.subarray(offset + SYNC_MARKER.length, offset + HEADER_SIZE - 1);
  if (crc8(fields) !== source[offset + HEADER_SIZE - 1]) return undefined;
  const header = readLayout(HEADER_LAYOUT, fields);
  return header.length <= MAX_PAYLOAD ? header : undefined;
}

/**
 * Finds frames in a stream of bytes. Whatever is not a frame is skipped byte by byte, so that a
 * damaged frame never costs the next good one. A sound frame of an unknown kind is passed over
 * whole: a newer peer may send such.
 */
export class FrameDecoder {
  private buffer = new Uint8Array(4 * (HEADER_SIZE + MAX_PAYLOAD + TRAILER_SIZE));
  private start = 0;
  private end = 0;
  private skipped = 0;
  /** Bytes at the end of the frame that came last which may be the marker of the next, or its first. */
  private borrowed: 0 | 1 | 2 = 0;

  /** Bytes of an unfinished frame, or of what may become one. */
  get pending(): number {
    return this.end - this.start;
  }

  /** Bytes that belonged to no good frame, since the decoder was made. */
  get skippedBytes(): number {
    return this.skipped;
  }

  /** Takes bytes and returns the frames they complete, in order. Never throws. */
  push(bytes: Uint8Array): Frame[] {
    this.append(bytes);
    return this.drain();
  }

  /**
   * Gives up the unfinished frame and looks for frames behind its marker. For when the rest does
   * not come: a truncated frame would otherwise swallow the frames after it.
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
      const kept = this.buffer.subarray(this.start - this.borrowed, this.end);
      const needed = kept.length + bytes.length;
      const target = needed > this.buffer.length ? new Uint8Array(2 * needed) : this.buffer;
      target.set(kept);
      this.buffer = target;
      this.end = kept.length;
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
      if (this.borrowed > 0 && !this.giveBack()) return frames;
      this.skipToMarker();
      if (this.pending < HEADER_SIZE) return frames;
      const header = headerAt(this.buffer, this.start);
      if (!header) {
        this.skip(1);
        continue;
      }
      const size = HEADER_SIZE + header.length + TRAILER_SIZE;
      if (this.pending < size) return frames;
      if (!this.bodyIsSound(header.length)) {
        this.skip(1);
        continue;
      }
      const kind = kindByNumber.get(header.kind);
      if (kind) frames.push(this.frameAt(header, kind));
      this.start += size;
      this.borrowed = this.markerAtEnd();
    }
  }

  private markerAtEnd(): 0 | 1 | 2 {
    const [before, last] = this.buffer.subarray(this.start - SYNC_MARKER.length, this.start);
    if (before === SYNC_MARKER[0] && last === SYNC_MARKER[1]) return 2;
    return last === SYNC_MARKER[0] ? 1 : 0;
  }

  /**
   * A frame whose last bytes were lost, where those are as a marker is, is whole with the first bytes of the
   * frame behind it: that one gets them back. @returns false while it is not known yet
   */
  private giveBack(): boolean {
    if (this.pending === 0) return true;
    const goesOn = this.borrowed === 2 || this.buffer[this.start] === SYNC_MARKER[1];
    if (goesOn && this.pending < HEADER_SIZE - this.borrowed) return false;
    if (goesOn && headerAt(this.buffer, this.start - this.borrowed)) this.start -= this.borrowed;
    this.borrowed = 0;
    return true;
  }

  private skipToMarker(): void {
    while (this.pending > 0) {
      const first = this.buffer[this.start] === SYNC_MARKER[0];
      const second = this.pending === 1 || this.buffer[this.start + 1] === SYNC_MARKER[1];
      if (first && second) return;
      this.skip(1);
    }
  }

  private bodyIsSound(length: number): boolean {
    const bodyEnd = this.start + HEADER_SIZE + length;
    const check = crc16(this.buffer.subarray(this.start + SYNC_MARKER.length, bodyEnd));
    return this.buffer[bodyEnd] === (check & 0xff) && this.buffer[bodyEnd + 1] === check >> 8;
  }

  private frameAt(header: ValueOf<typeof HEADER_LAYOUT>, kind: FrameKind): Frame {
    const body = this.start + HEADER_SIZE;
    return frameOf(header, kind, this.buffer.slice(body, body + header.length));
  }
}

function frameOf(
  { versionAndFlags, command, sequence }: ValueOf<typeof HEADER_LAYOUT>,
  kind: FrameKind,
  payload: Uint8Array,
): Frame {
  const [version, flags] = [versionAndFlags >> 4, versionAndFlags & 0xf];
  return { version, flags, kind, command, sequence, payload };
}

/** A frame of ours that was just encoded. @throws {RangeError} when it is not exactly one */
export function decodeFrame(encoded: Uint8Array): Frame {
  const header = headerAt(encoded, 0);
  const kind = header && kindByNumber.get(header.kind);
  const size = HEADER_SIZE + (header?.length ?? 0) + TRAILER_SIZE;
  if (!header || !kind || encoded.length !== size) throw new RangeError('not exactly one frame');
  return frameOf(header, kind, encoded.subarray(HEADER_SIZE, size - TRAILER_SIZE));
}
