import { PACKET_BYTES, PACKET_SAMPLES } from './format.ts';
import type { OpusDecoder, OpusModule } from './opus/index.ts';

/** Long recordings have between this number of peaks and twice as many. */
const MIN_PEAKS = 600;

/** Initial number of samples per peak: one 20 ms packet. */
const FIRST_SPAN_SAMPLES = 320;

/**
 * Collects a recording's peaks for its waveform. A peak is the maximum amplitude within a span, from 0 to 255. Once
 * there are too many, neighbors are merged and the span doubles, so the number of peaks doesn't grow with the length.
 */
export class PeakMeter {
  #span = FIRST_SPAN_SAMPLES;
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

  /** Returns the peaks collected so far: evenly spaced, from 0 to 255. */
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
 * Reduces the number of peaks, so the peaks of many recordings can be stored or sent. Over several seconds of speech,
 * the mean and the maximum barely vary, so the middle peak of each section gets more weight and gives the waveform its
 * shape. The mean softens single clicks in long silences.
 * @param maxCount maximum number of peaks to return
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

/** Measures levels before samples are encoded. {@link PacketMeter} does the same for packets. */
export class LevelMeter {
  #inPacket = 0;
  #loudest = 0;

  /**
   * @param samples any number of samples, 16 kHz mono
   * @returns the peak amplitude (0–255) of each packet that these samples complete
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
   * Returns each packet's peak amplitude, from 0 to 255.
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
