import { AudioFailure } from './failure.ts';
import { PACKET_BYTES, PACKET_SAMPLES, PRE_SKIP_SAMPLES, samplesOf } from './format.ts';
import { demuxOgg } from './ogg/demuxer.ts';
import type { OpusDecoder, OpusEncoder, OpusModule } from './opus/index.ts';

/**
 * Decodes recorder packets as a stream. Drops the encoder's look-ahead at the start, so that the output equals a
 * player's output of the Ogg file, sample for sample.
 */
export class PacketDecoder {
  readonly #decoder: OpusDecoder;
  #toSkip: number;

  /** @param skip samples at 16 kHz to drop at the start. */
  constructor(opus: OpusModule, skip = PRE_SKIP_SAMPLES) {
    this.#decoder = opus.createDecoder();
    this.#toSkip = skip;
  }

  /**
   * @param bytes complete 160-byte packets.
   * @returns PCM, 16 kHz mono.
   * @throws AudioFailure `truncated` for an incomplete packet, `opus-invalid` for a packet that libopus rejects.
   */
  push(bytes: Uint8Array): Int16Array<ArrayBuffer> {
    if (bytes.length % PACKET_BYTES !== 0) {
      throw new AudioFailure('truncated', `${bytes.length} bytes are not complete packets`);
    }
    const packets: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
      packets.push(bytes.subarray(at, at + PACKET_BYTES));
    }
    return this.pushPackets(packets);
  }

  /** As {@link push}, for packets of any size. */
  pushPackets(packets: readonly Uint8Array[]): Int16Array<ArrayBuffer> {
    const parts: Int16Array[] = [];
    let total = 0;
    for (const packet of packets) {
      const pcm = this.#decoder.decode(packet);
      const kept = pcm.slice(Math.min(this.#toSkip, pcm.length));
      this.#toSkip -= pcm.length - kept.length;
      parts.push(kept);
      total += kept.length;
    }
    const samples = new Int16Array(total);
    let at = 0;
    for (const part of parts) {
      samples.set(part, at);
      at += part.length;
    }
    return samples;
  }

  free(): void {
    this.#decoder.free();
  }
}

/** Encodes a stream of PCM into packets in the recorder's format. */
export class PacketEncoder {
  readonly #encoder: OpusEncoder;
  readonly #pcm = new Int16Array(PACKET_SAMPLES);
  /** Number of samples in the incomplete packet. */
  #filled = 0;

  constructor(opus: OpusModule) {
    this.#encoder = opus.createEncoder();
  }

  /**
   * @param pcm any number of samples, 16 kHz mono
   * @returns the packets completed so far
   */
  push(pcm: Int16Array): Uint8Array<ArrayBuffer> {
    const packets = Math.floor((this.#filled + pcm.length) / PACKET_SAMPLES);
    const bytes = new Uint8Array(packets * PACKET_BYTES);
    for (let at = 0, packet = 0; at < pcm.length; ) {
      const count = Math.min(PACKET_SAMPLES - this.#filled, pcm.length - at);
      this.#pcm.set(pcm.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled < PACKET_SAMPLES) break;
      this.#filled = 0;
      bytes.set(this.#encoder.encode(this.#pcm), packet * PACKET_BYTES);
      packet += 1;
    }
    return bytes;
  }

  /** Returns the last packets, padded with silence so that a decoder outputs the end of the audio. */
  end(): Uint8Array<ArrayBuffer> {
    const open = this.#filled + PRE_SKIP_SAMPLES;
    return this.push(
      new Int16Array(Math.ceil(open / PACKET_SAMPLES) * PACKET_SAMPLES - this.#filled),
    );
  }

  free(): void {
    this.#encoder.free();
  }
}

/**
 * Decodes a complete Ogg Opus file to 16 kHz mono PCM, trimmed to the length in its last page.
 * @throws AudioFailure as {@link demuxOgg}, or `opus-invalid`.
 */
export function decodeOggToPcm(file: Uint8Array, opus: OpusModule): Int16Array<ArrayBuffer> {
  const ogg = demuxOgg(file);
  const decoder = new PacketDecoder(opus, samplesOf(ogg.preSkip));
  try {
    const pcm = decoder.pushPackets(ogg.packets);
    const length = Math.max(0, samplesOf(ogg.granules - ogg.preSkip));
    return pcm.length > length ? pcm.slice(0, length) : pcm;
  } finally {
    decoder.free();
  }
}
