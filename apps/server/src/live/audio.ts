import { createHash } from 'node:crypto';
import { joinSamples, PacketDecoder } from '@linnet/audio/convert';
import { AudioFailure } from '@linnet/audio/failure';
import { PACKET_BYTES, PACKET_SAMPLES, PRE_SKIP_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';

/**
 * Number of packets before a slice that are decoded first to restore the decoder's state (200 ms, more than Opus needs
 * to converge).
 */
export const DECODER_PREROLL = 10;

/** Returns when a packet starts, in seconds from the start of the recording. */
export function startOfPacket(packet: number): number {
  return Math.max(0, packet * PACKET_SAMPLES - PRE_SKIP_SAMPLES) / SAMPLE_RATE;
}

/**
 * The open part of a live recording: the decoded audio after the last settled slice. Positions are packet numbers
 * within the recording.
 */
export class OpenAudio {
  readonly #decoder: PacketDecoder;
  /** Number of packets before the open part. */
  #from: number;
  /** Number of samples that the decoder drops from the next packet. */
  #skip: number;
  /** Number of remaining packets to decode only to restore the decoder's state. */
  #preroll: number;
  #packets: Uint8Array[] = [];
  #samples: Int16Array[] = [];
  #loudness: number[] = [];

  /**
   * @param from the first packet of the open part
   * @param preroll number of packets before the open part that are pushed first
   */
  constructor(opus: OpusModule, from: number, preroll: number) {
    this.#skip = from === preroll ? PRE_SKIP_SAMPLES : 0;
    this.#decoder = new PacketDecoder(opus, this.#skip);
    this.#from = from;
    this.#preroll = preroll;
  }

  get from(): number {
    return this.#from;
  }

  /** The root mean square of each packet in the open part. */
  get loudness(): readonly number[] {
    return this.#loudness;
  }

  /** @throws AudioFailure `opus-invalid` */
  push(packets: Uint8Array): void {
    for (let offset = 0; offset < packets.length; offset += PACKET_BYTES) {
      const packet = packets.subarray(offset, offset + PACKET_BYTES);
      const samples = this.#decoder.push(packet);
      // Opus packets may be up to 120 ms long, but all positions assume the recorder's 20 ms packets.
      if (samples.length !== PACKET_SAMPLES - this.#skip) {
        throw new AudioFailure('opus-invalid', `a packet of ${samples.length} samples`);
      }
      this.#skip = 0;
      if (this.#preroll > 0) {
        this.#preroll -= 1;
        continue;
      }
      this.#packets.push(packet);
      this.#samples.push(samples);
      this.#loudness.push(rootMeanSquare(samples));
    }
  }

  /** Returns the samples of the first `count` packets of the open part. */
  samples(count: number): Int16Array {
    return joinSamples(this.#samples.slice(0, count));
  }

  /** Returns the SHA-256 of the first `count` packets of the open part. */
  sha256(count: number): Buffer {
    const hash = createHash('sha256');
    for (const packet of this.#packets.slice(0, count)) hash.update(packet);
    return hash.digest();
  }

  /** Removes the first `count` packets from the open part. */
  settle(count: number): void {
    this.#packets.splice(0, count);
    this.#samples.splice(0, count);
    this.#loudness.splice(0, count);
    this.#from += count;
  }

  free(): void {
    this.#decoder.free();
  }
}

function rootMeanSquare(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}
