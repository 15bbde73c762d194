import { AudioFailure } from './failure.ts';
import { PACKET_BYTES } from './format.ts';
import { OggOpusReader } from './ogg/demuxer.ts';

/** Takes a master apart into the packets that it was made of, as its bytes come. */
export class PacketUnpacker {
  readonly #reader = new OggOpusReader();

  /**
   * @param bytes the next of the file, cut anywhere.
   * @returns the packets that are whole by now, one after the other.
   * @throws AudioFailure `not-opus` for a packet that no recorder makes, and as {@link OggOpusReader.push}.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const packets = this.#reader.push(bytes);
    const all = new Uint8Array(packets.length * PACKET_BYTES);
    for (const [index, packet] of packets.entries()) {
      if (packet.length !== PACKET_BYTES) {
        throw new AudioFailure('not-opus', `a packet of ${packet.length} bytes`);
      }
      all.set(packet, index * PACKET_BYTES);
    }
    return all;
  }

  /** @throws AudioFailure `truncated`. */
  end(): void {
    this.#reader.end();
  }
}
