import { AudioFailure } from './failure.ts';
import { PACKET_BYTES } from './format.ts';
import { OggOpusReader } from './ogg/demuxer.ts';

/** Extracts the recorder packets from a master, piece by piece. */
export class PacketUnpacker {
  readonly #reader = new OggOpusReader();

  /**
   * Reads the next bytes of the file, which may be split anywhere, and returns the completed packets.
   * @throws AudioFailure as for {@link OggOpusReader.push}, or `not-opus` for a packet whose size isn't
   *   {@link PACKET_BYTES}
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

  /** Checks that the file is complete. @throws AudioFailure `truncated` */
  end(): void {
    this.#reader.end();
  }
}
