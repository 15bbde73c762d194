/** The size of an Opus packet in bytes, and its duration in seconds (specification, section 9). */
export const PACKET_BYTES = 160;
export const PACKET_SECONDS = 0.02;

/**
 * Buffers consecutive packets of a recording, identified by their index in the recording. A full buffer drops the
 * oldest packets.
 */
export class PacketBuffer {
  readonly #capacity: number;
  #parts: { readonly first: number; readonly bytes: Uint8Array }[] = [];
  #end = 0;

  /** @param capacity the maximum number of packets */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The index of the first packet, or {@link end} if the buffer is empty. */
  get first(): number {
    return this.#parts[0]?.first ?? this.#end;
  }

  /** The index after the last packet added so far. */
  get end(): number {
    return this.#end;
  }

  /**
   * Adds packets. Ignores packets that were added before. If packets are missing in between, the buffer restarts with
   * the new ones.
   * @param first the index of the first packet
   */
  add(first: number, bytes: Uint8Array): void {
    const count = Math.floor(bytes.length / PACKET_BYTES);
    const end = first + count;
    if (end <= this.#end) return;
    if (first > this.#end) this.#parts = [];
    const start = Math.max(first, this.#end);
    this.#parts.push({
      first: start,
      bytes: bytes.slice((start - first) * PACKET_BYTES, count * PACKET_BYTES),
    });
    this.#end = end;
    this.dropBefore(end - this.#capacity);
  }

  /** Returns at most `count` buffered packets, starting at index `first`. */
  read(first: number, count: number): Uint8Array {
    const end = Math.min(this.#end, first + count);
    const result = new Uint8Array(Math.max(0, end - first) * PACKET_BYTES);
    for (const part of this.#parts) {
      const partEnd = part.first + part.bytes.length / PACKET_BYTES;
      const from = Math.max(first, part.first);
      const to = Math.min(end, partEnd);
      if (from >= to) continue;
      result.set(
        part.bytes.subarray((from - part.first) * PACKET_BYTES, (to - part.first) * PACKET_BYTES),
        (from - first) * PACKET_BYTES,
      );
    }
    return result;
  }

  /** Drops all packets before an index. */
  dropBefore(index: number): void {
    this.#parts = this.#parts.flatMap(({ first, bytes }) => {
      if (first >= index) return [{ first, bytes }];
      const rest = bytes.slice((index - first) * PACKET_BYTES);
      return rest.length > 0 ? [{ first: index, bytes: rest }] : [];
    });
  }
}
