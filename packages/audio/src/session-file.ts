import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { PacketDecoder } from './convert.ts';
import { PACKET_BYTES, PACKET_SAMPLES, PRE_SKIP_SAMPLES, SAMPLE_RATE } from './format.ts';
import { OggOpusMuxer } from './ogg/muxer.ts';
import type { OpusModule } from './opus/index.ts';
import { PeakMeter } from './peaks.ts';
import { waveHeader } from './wave/index.ts';

/** Bytes to append to the two files, in order. */
export type SessionPiece = {
  /** For the master: the packets as received, in Ogg. */
  readonly ogg: Uint8Array<ArrayBuffer>;
  /** For the sync output: 16 kHz mono 16-bit WAV. */
  readonly wave: Uint8Array<ArrayBuffer>;
};

/** Results after all packets have been processed. */
export type SessionFacts = {
  /** SHA-256 of the packets, lower-case hex, to compare with the recorder's. */
  readonly sha256: string;
  readonly seconds: number;
  /** As {@link PeakMeter.peaks}. */
  readonly peaks: Uint8Array<ArrayBuffer>;
};

/**
 * Converts the packets of a session to its master (Ogg), its WAV, its hash and its peaks in one pass and constant
 * memory. Bytes in, bytes out: the caller reads and writes the files.
 */
export class SessionFileMaker {
  readonly #muxer = new OggOpusMuxer();
  readonly #decoder: PacketDecoder;
  readonly #hash = sha256.create();
  readonly #meter = new PeakMeter();
  #samples = 0;

  constructor(opus: OpusModule) {
    this.#decoder = new PacketDecoder(opus);
  }

  /** Returns the headers. @param packetBytes total bytes of all packets: a WAV header states its length. */
  begin(packetBytes: number): SessionPiece {
    const samples = (packetBytes / PACKET_BYTES) * PACKET_SAMPLES - PRE_SKIP_SAMPLES;
    return { ogg: this.#muxer.header(), wave: waveHeader(Math.max(0, samples), SAMPLE_RATE) };
  }

  /**
   * @param bytes complete packets.
   * @throws AudioFailure `truncated` for an incomplete packet, `opus-invalid` for a packet that libopus rejects.
   */
  push(bytes: Uint8Array): SessionPiece {
    this.#hash.update(bytes);
    const pcm = this.#decoder.push(bytes);
    this.#meter.push(pcm);
    this.#samples += pcm.length;
    return { ogg: this.#muxer.push(bytes), wave: new Uint8Array(pcm.buffer) };
  }

  /** Returns the last pieces and frees the decoder. */
  end(): SessionPiece & { readonly facts: SessionFacts } {
    this.#decoder.free();
    return {
      ogg: this.#muxer.end(),
      wave: new Uint8Array(),
      facts: {
        sha256: toHex(this.#hash.digest()),
        seconds: this.#samples / SAMPLE_RATE,
        peaks: this.#meter.peaks(),
      },
    };
  }
}
