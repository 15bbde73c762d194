import { AudioFailure } from './failure.ts';
import { PACKET_BYTES, PACKET_SAMPLES, PRE_SKIP_SAMPLES, toSamples } from './format.ts';
import { demuxOgg } from './ogg/demuxer.ts';
import type { OpusDecoder, OpusEncoder, OpusModule } from './opus/index.ts';

/**
 * Decodes a stream of recorder packets. Drops the encoder's look-ahead at the start, so the output matches that of a
 * player for the Ogg file, sample for sample.
 */
export class PacketDecoder {
  readonly #decoder: OpusDecoder;
  #samplesToSkip: number;

  /** @param skip number of samples to drop at the start, at 16 kHz */
  constructor(opus: OpusModule, skip = PRE_SKIP_SAMPLES) {
    this.#decoder = opus.createDecoder();
    this.#samplesToSkip = skip;
  }

  /**
   * Decodes packets to PCM, 16 kHz mono.
   * @param bytes complete 160-byte packets
   * @throws AudioFailure `truncated` for an incomplete packet, `opus-invalid` for a packet that libopus rejects
   */
  push(bytes: Uint8Array): Int16Array<ArrayBuffer> {
    if (bytes.length % PACKET_BYTES !== 0) {
      throw new AudioFailure('truncated', `${bytes.length} bytes are not complete packets`);
    }
    const packets: Uint8Array[] = [];
    for (let offset = 0; offset < bytes.length; offset += PACKET_BYTES) {
      packets.push(bytes.subarray(offset, offset + PACKET_BYTES));
    }
    return this.pushPackets(packets);
  }

  /** Decodes packets of any size, like {@link push}. */
  pushPackets(packets: readonly Uint8Array[]): Int16Array<ArrayBuffer> {
    const parts: Int16Array[] = [];
    for (const packet of packets) {
      const pcm = this.#decoder.decode(packet);
      const part = pcm.slice(Math.min(this.#samplesToSkip, pcm.length));
      this.#samplesToSkip -= pcm.length - part.length;
      parts.push(part);
    }
    return joinSamples(parts);
  }

  /**
   * Skips lost packets.
   * @param samples their duration, in samples at 16 kHz
   * @returns how many of these samples belong to the output rather than to the dropped start
   */
  skip(samples: number): number {
    const dropped = Math.min(this.#samplesToSkip, samples);
    this.#samplesToSkip -= dropped;
    return samples - dropped;
  }

  free(): void {
    this.#decoder.free();
  }
}

/** Returns consecutive samples as one array. */
export function joinSamples(parts: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(parts.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const part of parts) {
    samples.set(part, offset);
    offset += part.length;
  }
  return samples;
}

/** Encodes a PCM stream to packets in the recorder's format. */
export class PacketEncoder {
  readonly #encoder: OpusEncoder;
  readonly #pcm = new Int16Array(PACKET_SAMPLES);
  /** Number of samples collected for the next packet. */
  #filled = 0;

  constructor(opus: OpusModule) {
    this.#encoder = opus.createEncoder();
  }

  /**
   * Encodes samples and returns the completed packets.
   * @param pcm any number of samples, 16 kHz mono
   */
  push(pcm: Int16Array): Uint8Array<ArrayBuffer> {
    const packets = Math.floor((this.#filled + pcm.length) / PACKET_SAMPLES);
    const bytes = new Uint8Array(packets * PACKET_BYTES);
    for (let offset = 0, packet = 0; offset < pcm.length; ) {
      const count = Math.min(PACKET_SAMPLES - this.#filled, pcm.length - offset);
      this.#pcm.set(pcm.subarray(offset, offset + count), this.#filled);
      this.#filled += count;
      offset += count;
      if (this.#filled < PACKET_SAMPLES) break;
      this.#filled = 0;
      bytes.set(this.#encoder.encode(this.#pcm), packet * PACKET_BYTES);
      packet += 1;
    }
    return bytes;
  }

  /** Returns the last packets, padded with silence so that a decoder outputs all of the audio. */
  end(): Uint8Array<ArrayBuffer> {
    const packets = Math.ceil((this.#filled + PRE_SKIP_SAMPLES) / PACKET_SAMPLES);
    return this.push(new Int16Array(packets * PACKET_SAMPLES - this.#filled));
  }

  free(): void {
    this.#encoder.free();
  }
}

/**
 * Decodes a complete Ogg Opus file to 16 kHz mono PCM, trimmed to the length given on its last page.
 * @throws AudioFailure as for {@link demuxOgg}, or `opus-invalid`
 */
export function decodeOggToPcm(file: Uint8Array, opus: OpusModule): Int16Array<ArrayBuffer> {
  const ogg = demuxOgg(file);
  const decoder = new PacketDecoder(opus, toSamples(ogg.preSkip));
  try {
    const pcm = decoder.pushPackets(ogg.packets);
    const length = Math.max(0, toSamples(ogg.granules - ogg.preSkip));
    return pcm.length > length ? pcm.slice(0, length) : pcm;
  } finally {
    decoder.free();
  }
}
