import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { PacketDecoder } from './convert.ts';
import { SAMPLE_RATE } from './format.ts';
import { OggOpusMuxer } from './ogg/muxer.ts';
import type { OpusModule } from './opus/index.ts';
import { PeakMeter } from './peaks.ts';
import { waveHeader } from './wave/index.ts';

/** Bytes to append to a session's two files. */
export type SessionPiece = {
  /** Bytes to append to the master, which contains the packets as received. */
  readonly ogg: Uint8Array<ArrayBuffer>;
  /** Bytes to append to the WAV file (16 kHz, mono, 16 bit). */
  readonly wave: Uint8Array<ArrayBuffer>;
};

/** Metadata of a session, available once all packets have been processed. */
export type SessionFacts = {
  /** The SHA-256 digest of the packets in lowercase hex, to compare with the recorder's digest. */
  readonly sha256: string;
  readonly seconds: number;
  /** See {@link PeakMeter.peaks}. */
  readonly peaks: Uint8Array<ArrayBuffer>;
};

export type SessionEnd = {
  /** Bytes to append to the master. */
  readonly ogg: Uint8Array<ArrayBuffer>;
  /** Bytes that replace the start of the WAV file. */
  readonly waveHeader: Uint8Array<ArrayBuffer>;
  readonly facts: SessionFacts;
};

/**
 * Creates a session's master (Ogg), WAV file, digest and peaks from its packets, in one pass and in constant memory.
 * Only converts bytes: the caller reads and writes the files.
 */
export class SessionFileBuilder {
  readonly #muxer = new OggOpusMuxer();
  readonly #decoder: PacketDecoder;
  readonly #hash = sha256.create();
  readonly #meter = new PeakMeter();
  #samples = 0;
  #isFreed = false;

  constructor(opus: OpusModule) {
    this.#decoder = new PacketDecoder(opus);
  }

  /** Returns the headers. The WAV header states a length of 0. Replace it with the header returned by {@link end}. */
  begin(): SessionPiece {
    return { ogg: this.#muxer.header(), wave: waveHeader(0, SAMPLE_RATE) };
  }

  /**
   * Processes complete packets.
   * @throws AudioFailure `truncated` for an incomplete packet, `opus-invalid` for a packet that libopus rejects
   */
  push(bytes: Uint8Array): SessionPiece {
    this.#hash.update(bytes);
    const pcm = this.#decoder.push(bytes);
    this.#meter.push(pcm);
    this.#samples += pcm.length;
    return { ogg: this.#muxer.push(bytes), wave: new Uint8Array(pcm.buffer) };
  }

  /** Returns the last bytes of the master and the final header of the WAV file, and frees the decoder. */
  end(): SessionEnd {
    this.free();
    return {
      ogg: this.#muxer.end(),
      waveHeader: waveHeader(this.#samples, SAMPLE_RATE),
      facts: {
        sha256: toHex(this.#hash.digest()),
        seconds: this.#samples / SAMPLE_RATE,
        peaks: this.#meter.peaks(),
      },
    };
  }

  /** Frees the decoder, which aborts the conversion. Idempotent. */
  free(): void {
    if (!this.#isFreed) this.#decoder.free();
    this.#isFreed = true;
  }
}
