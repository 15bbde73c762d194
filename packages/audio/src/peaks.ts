import { PACKET_BYTES, PACKET_SAMPLES } from './format.ts';
import type { OpusDecoder, OpusModule } from './opus/index.ts';

/** Minimum number of peaks of a long recording; the maximum is twice as many. */
const MIN_PEAKS = 600;

/** Initial samples per peak: 20 ms, one packet. */
const FIRST_SPAN = 320;

/**
 * Collects the peaks of a recording for its waveform: the maximum amplitude of each span, 0–255. If there are too many,
 * adjacent peaks are merged and the span doubles, so that the number of peaks is independent of the length.
 */
export class PeakMeter {
  #span = FIRST_SPAN;
  #inSpan = 0;
  #loudest = 0;
  #peaks: number[] = [];

  /** @param samples 16-bit PCM, any number of samples. */
  push(samples: Int16Array): void {
    for (const sample of samples) {
      const level = sample < 0 ? -sample : sample;
      if (level > this.#loudest) this.#loudest = level;
      if (++this.#inSpan === this.#span) this.#close();
    }
  }

  /** Returns the peaks so far, 0–255 each, evenly spaced. */
  peaks(): Uint8Array<ArrayBuffer> {
    const open = this.#inSpan > 0 ? [scaled(this.#loudest)] : [];
    return Uint8Array.from([...this.#peaks, ...open]);
  }

  #close(): void {
    this.#peaks.push(scaled(this.#loudest));
    this.#inSpan = 0;
    this.#loudest = 0;
    if (this.#peaks.length < MIN_PEAKS * 2) return;
    this.#peaks = Array.from({ length: MIN_PEAKS }, (_, i) =>
      Math.max(this.#peaks[2 * i] as number, this.#peaks[2 * i + 1] as number),
    );
    this.#span *= 2;
  }
}

/**
 * Reduces the number of peaks, to store or send those of many recordings. Over seconds of speech, means and maxima hardly
 * vary. The peak in the middle of each part therefore shapes the waveform, while the mean attenuates a click in a long
 * silence.
 * @param maxCount maximum number of peaks, each for an equal part
 */
export function fewerPeaks(peaks: Uint8Array, maxCount: number): Uint8Array<ArrayBuffer> {
  const length = Math.min(maxCount, peaks.length);
  return Uint8Array.from({ length }, (_, part) => {
    const from = Math.floor((part * peaks.length) / length);
    const within = peaks.subarray(from, Math.floor(((part + 1) * peaks.length) / length));
    const mean = within.reduce((sum, peak) => sum + peak, 0) / within.length;
    return Math.round((2 * (within[within.length >> 1] as number) + mean) / 3);
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
      levels.push(scaled(this.#loudest));
      this.#inPacket = 0;
      this.#loudest = 0;
    }
    return levels;
  }
}

/** Measures the packets of a recording in progress. */
export class PacketMeter {
  readonly #decoder: OpusDecoder;

  constructor(opus: OpusModule) {
    this.#decoder = opus.createDecoder();
  }

  /**
   * @param bytes complete 160-byte packets
   * @returns the maximum amplitude of each packet, 0–255
   * @throws AudioFailure `opus-invalid` for a packet that libopus rejects
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: Math.floor(bytes.length / PACKET_BYTES) }, (_, packet) => {
      const at = packet * PACKET_BYTES;
      let loudest = 0;
      for (const sample of this.#decoder.decode(bytes.subarray(at, at + PACKET_BYTES))) {
        loudest = Math.max(loudest, Math.abs(sample));
      }
      return scaled(loudest);
    });
  }

  free(): void {
    this.#decoder.free();
  }
}

const scaled = (level: number) => Math.min(255, Math.round((level / 32_767) * 255));
