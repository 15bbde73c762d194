import { AudioFailure } from './failure.ts';
import { PACKET_BYTES } from './format.ts';
import { OggOpusReader } from './ogg/demuxer.ts';

/** Extracts the packets of a master from a stream of its bytes. */
export class PacketUnpacker {
  readonly #reader = new OggOpusReader();

  /**
   * @param bytes the next bytes of the file, split anywhere.
   * @returns the packets completed so far, concatenated.
   * @throws AudioFailure `not-opus` for a packet of another size than the recorder's, and as {@link OggOpusReader.push}.
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
