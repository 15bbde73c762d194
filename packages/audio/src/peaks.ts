import { PACKET_BYTES, PACKET_SAMPLES } from './format.ts';
import type { OpusDecoder, OpusModule } from './opus/index.ts';

/** The minimum number of peaks of a long recording. The maximum is twice as many. */
const MIN_PEAKS = 600;

/** The initial number of samples per peak: one packet of 20 ms. */
const FIRST_SPAN = 320;

/**
 * Collects the peaks of a recording for its waveform. A peak is the maximum amplitude of a span, from 0 to 255. When there
 * are too many peaks, adjacent ones are merged and the span doubles, so that their number does not depend on the length.
 */
export class PeakMeter {
  #span = FIRST_SPAN;
  #samplesInSpan = 0;
  #loudest = 0;
  #peaks: number[] = [];

  /** Adds any number of 16-bit samples. */
  push(samples: Int16Array): void {
    for (const sample of samples) {
      const level = sample < 0 ? -sample : sample;
      if (level > this.#loudest) this.#loudest = level;
      if (++this.#samplesInSpan === this.#span) this.#endSpan();
    }
  }

  /** Returns the peaks collected so far, evenly spaced and each from 0 to 255. */
  peaks(): Uint8Array<ArrayBuffer> {
    const lastPeak = this.#samplesInSpan > 0 ? [toByte(this.#loudest)] : [];
    return Uint8Array.from([...this.#peaks, ...lastPeak]);
  }

  #endSpan(): void {
    this.#peaks.push(toByte(this.#loudest));
    this.#samplesInSpan = 0;
    this.#loudest = 0;
    if (this.#peaks.length < MIN_PEAKS * 2) return;
    this.#peaks = Array.from({ length: MIN_PEAKS }, (_, i) =>
      Math.max(this.#peaks[2 * i] as number, this.#peaks[2 * i + 1] as number),
    );
    this.#span *= 2;
  }
}

/**
 * Reduces the number of peaks, so that the peaks of many recordings can be stored or sent. The means and maxima of several
 * seconds of speech hardly vary, so the middle peak of each part has the greater weight and gives the waveform its shape.
 * The mean attenuates a single click in a long silence.
 * @param maxCount the maximum number of peaks to return
 */
export function fewerPeaks(peaks: Uint8Array, maxCount: number): Uint8Array<ArrayBuffer> {
  const length = Math.min(maxCount, peaks.length);
  return Uint8Array.from({ length }, (_, index) => {
    const from = Math.floor((index * peaks.length) / length);
    const part = peaks.subarray(from, Math.floor(((index + 1) * peaks.length) / length));
    const mean = part.reduce((sum, peak) => sum + peak, 0) / part.length;
    return Math.round((2 * (part[part.length >> 1] as number) + mean) / 3);
  });
}

/** Measures samples before they are encoded, as {@link PacketMeter} measures packets. */
export class LevelMeter {
  #inPacket = 0;
  #loudest = 0;

  /**
   * @param samples 16 kHz mono, any number of samples
   * @returns the maximum amplitude of each packet that these samples complete, 0–255
   */
  push(samples: Int16Array): number[] {
    const levels: number[] = [];
    for (const sample of samples) {
      this.#loudest = Math.max(this.#loudest, Math.abs(sample));
      this.#inPacket += 1;
      if (this.#inPacket < PACKET_SAMPLES) continue;
      levels.push(toByte(this.#loudest));
      this.#inPacket = 0;
      this.#loudest = 0;
    }
    return levels;
  }
}

/** Measures the loudness of a recording in progress, packet by packet. */
export class PacketMeter {
  readonly #decoder: OpusDecoder;

  constructor(opus: OpusModule) {
    this.#decoder = opus.createDecoder();
  }

  /**
   * Returns the maximum amplitude of each packet, from 0 to 255.
   * @param bytes complete 160-byte packets
   * @throws AudioFailure `opus-invalid` for a packet that libopus rejects
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: Math.floor(bytes.length / PACKET_BYTES) }, (_, packet) => {
      const offset = packet * PACKET_BYTES;
      let loudest = 0;
      for (const sample of this.#decoder.decode(bytes.subarray(offset, offset + PACKET_BYTES))) {
        loudest = Math.max(loudest, Math.abs(sample));
      }
      return toByte(loudest);
    });
  }

  free(): void {
    this.#decoder.free();
  }
}

const toByte = (level: number) => Math.min(255, Math.round((level / 32_767) * 255));
