/** Computes the digests that identify an audio file's content. */
import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { AudioFailure } from './failure.ts';
import { OggOpusReader } from './ogg/demuxer.ts';

/** The digests of an audio file, in lowercase hex. */
export type AudioDigest = {
  /** The file's size in bytes. */
  readonly size: number;
  /** The SHA-256 of the whole file. */
  readonly sha256: string;
  /**
   * The SHA-256 of the Opus packets in order, as a recorder computes it for a session (PROTOCOL.md, `end`). Equals
   * `sha256` unless the file is a complete Ogg Opus file.
   */
  readonly audioSha256: string;
};

/** An incremental hash computation. */
export type Hash = { update(bytes: Uint8Array): unknown; digest(): Uint8Array };

/** Computes both digests of a file in one pass, in constant memory. */
export class AudioDigester {
  readonly #content: Hash;
  readonly #packets: Hash;
  /** Null once the file turns out not to be Ogg Opus. */
  #ogg: OggOpusReader | null = new OggOpusReader();
  #size = 0;

  /**
   * @param createSha256 creates a SHA-256 hash; pass one if the platform has a faster implementation than the default
   */
  constructor(createSha256: () => Hash = () => sha256.create()) {
    this.#content = createSha256();
    this.#packets = createSha256();
  }

  /** Adds the next bytes of the file. */
  push(bytes: Uint8Array): void {
    this.#size += bytes.length;
    this.#content.update(bytes);
    this.#readPackets((reader) => reader.push(bytes));
  }

  end(): AudioDigest {
    this.#readPackets((reader) => {
      reader.end();
      return [];
    });
    const sha256 = toHex(this.#content.digest());
    const audioSha256 = this.#ogg ? toHex(this.#packets.digest()) : sha256;
    return { size: this.#size, sha256, audioSha256 };
  }

  #readPackets(read: (reader: OggOpusReader) => readonly Uint8Array[]): void {
    if (!this.#ogg) return;
    try {
      for (const packet of read(this.#ogg)) this.#packets.update(packet);
    } catch (error) {
      if (!(error instanceof AudioFailure)) throw error;
      this.#ogg = null;
    }
  }
}
