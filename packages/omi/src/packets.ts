/**
 * Reassembles an Omi's audio packets from notifications, and counts losses.
 *
 * The recorder numbers notifications, not packets, so the number of lost notifications is always known, unless 65,536
 * or more are lost in succession. The number of lost packets is known if packets have a constant size or each fits in
 * one notification, as Opus packets do at the usual sizes. Otherwise, each lost notification counts as one packet,
 * unless another part of its packet arrived.
 */
import type { OmiCodec } from './codecs.ts';
import { AUDIO_HEADER } from './layout.ts';

/** Sequence numbers wrap at this value. */
const SEQUENCE_MODULUS = 65_536;

export type AudioItem =
  | { readonly type: 'packet'; readonly bytes: Uint8Array }
  /** Lost audio. A packet counts as lost if any of its parts is. */
  | { readonly type: 'gap'; readonly notifications: number; readonly packets: number };

type Position = {
  readonly number: number;
  readonly part: number;
  /** The parts received so far, or null if the packet is already complete or counted as lost. */
  readonly pending: readonly Uint8Array[] | null;
  /** True if more parts of the packet are expected, as far as is known. */
  readonly isOpen: boolean;
};

export class PacketAssembler {
  readonly #codec: OmiCodec;
  /**
   * Bytes of audio in a full notification, or null if not yet known. All parts except a packet's last have this size.
   */
  #fullSize: number | null;
  #last: Position | null = null;

  /** @param fullSize bytes of audio in a full notification, if the link reports it */
  constructor(codec: OmiCodec, fullSize: number | null = null) {
    this.#codec = codec;
    this.#fullSize = fullSize;
  }

  /**
   * Reads a notification. Ignores notifications without audio.
   * @returns the packets completed by it, and the losses before them
   */
  push(notification: Uint8Array): AudioItem[] {
    if (notification.length <= AUDIO_HEADER.bytes) return [];
    const view = new DataView(notification.buffer, notification.byteOffset);
    const number = view.getUint16(AUDIO_HEADER.number, true);
    const part = view.getUint8(AUDIO_HEADER.part);
    const bytes = notification.subarray(AUDIO_HEADER.bytes);
    this.#learnSize(part, bytes);

    const last = this.#last;
    // The audio begins with the next complete packet. Earlier parts don't count as lost.
    if (!last) return part === 0 ? this.#begin(number, part, bytes) : [];
    const lostCount = (number - last.number - 1 + SEQUENCE_MODULUS) % SEQUENCE_MODULUS;
    if (lostCount === 0) return this.#continue(last, number, part, bytes);

    const isComplete = last.pending !== null && !last.isOpen;
    const pendingPackets = isComplete ? [toPacket(last.pending)] : [];
    const packets = this.#lostPackets(last, part, lostCount);
    const gap: AudioItem = { type: 'gap', notifications: lostCount, packets };
    return [...pendingPackets, gap, ...this.#begin(number, part, bytes)];
  }

  /** Returns the last packet, or a gap if it's incomplete. Call it when the link closes or the recording ends. */
  end(): AudioItem[] {
    const last = this.#last;
    this.#last = null;
    if (!last?.pending) return [];
    return [last.isOpen ? { type: 'gap', notifications: 0, packets: 1 } : toPacket(last.pending)];
  }

  #learnSize(part: number, bytes: Uint8Array): void {
    if (this.#fullSize !== null) return;
    const { bytes: packetBytes } = this.#codec;
    const isPartial = packetBytes !== null && part === 0 && bytes.length < packetBytes;
    if (isPartial) this.#fullSize = bytes.length;
    // The first part of this packet was full.
    const first = this.#last?.pending?.[0];
    if (packetBytes === null && part === 1 && first) this.#fullSize = first.length;
  }

  /** Handles a notification that directly follows the previous one. */
  #continue(last: Position, number: number, part: number, bytes: Uint8Array): AudioItem[] {
    if (part === 0) {
      const pendingPackets = last.pending && !last.isOpen ? [toPacket(last.pending)] : [];
      return [...pendingPackets, ...this.#begin(number, part, bytes)];
    }
    const pendingParts = last.pending && part === last.part + 1 ? [...last.pending, bytes] : null;
    return this.#store(number, part, pendingParts, bytes);
  }

  #begin(number: number, part: number, bytes: Uint8Array): AudioItem[] {
    // A packet without its beginning is already counted as lost.
    return this.#store(number, part, part === 0 ? [bytes] : null, bytes);
  }

  #store(
    number: number,
    part: number,
    pending: readonly Uint8Array[] | null,
    bytes: Uint8Array,
  ): AudioItem[] {
    const isOpen = this.#isOpen(part, bytes, pending);
    // Packets of constant size are complete before the next notification arrives.
    const isComplete = pending !== null && !isOpen && this.#codec.bytes !== null;
    this.#last = { number, part, pending: isComplete ? null : pending, isOpen };
    return isComplete ? [toPacket(pending)] : [];
  }

  /** Returns whether further parts of a packet follow. */
  #isOpen(part: number, bytes: Uint8Array, pending: readonly Uint8Array[] | null): boolean {
    const parts = this.#partsPerPacket();
    if (parts !== null) return part < parts - 1;
    if (this.#codec.bytes !== null && pending) return countBytes(pending) < this.#codec.bytes;
    return this.#fullSize !== null && bytes.length >= this.#fullSize;
  }

  /** Returns the number of notifications per packet, or null if it varies or isn't known yet. */
  #partsPerPacket(): number | null {
    const { bytes } = this.#codec;
    if (bytes === null) return null;
    return this.#fullSize === null ? 1 : Math.ceil(bytes / this.#fullSize);
  }

  /**
   * Returns the number of packets that lost at least one part.
   * @param part the position of the first notification after the loss
   */
  #lostPackets(last: Position, part: number, lost: number): number {
    const parts = this.#partsPerPacket();
    /** True if a packet has begun but hasn't been counted yet. */
    const isCut = last.isOpen && last.pending !== null;
    if (parts !== null) {
      /** The difference between the packet indexes of the notifications after and before the loss. */
      const ahead = Math.round((lost + 1 + last.part - part) / parts);
      if (ahead <= 0) return isCut ? 1 : 0;
      return ahead - 1 + (isCut ? 1 : 0) + (part > 0 ? 1 : 0);
    }
    if (last.isOpen && part === last.part + lost + 1) return isCut ? 1 : 0;
    // The lost parts just before the first notification after the loss belong to its packet. Of the other lost parts,
    // one may have continued the packet that was incomplete before the loss.
    const others = lost - Math.min(part, lost);
    const continued = last.isOpen && others > 0 ? 1 : 0;
    return others - continued + (isCut ? 1 : 0) + (part > 0 ? 1 : 0);
  }
}

function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((total, { length }) => total + length, 0);
}

function toPacket(parts: readonly Uint8Array[]): AudioItem {
  const bytes = new Uint8Array(countBytes(parts));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return { type: 'packet', bytes };
}
