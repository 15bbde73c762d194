/** An emulated microphone with its encoder. */

import { SAMPLE_RATE } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import type { Settings } from '../device-types.ts';
import type { Scene } from './scenes.ts';

/** Samples in a 20 ms packet. */
const PACKET_SAMPLES = SAMPLE_RATE / 50;

/** Gain factors: −6 dB, unchanged, and +6 dB. */
const GAIN_FACTORS: Readonly<Record<Settings['micGain'], number>> = {
  low: 0.5,
  normal: 1,
  high: 2,
};

/** Picks up one scene from its start, then silence. */
export class Microphone {
  private position = 0;
  private peak = 0;
  private readonly samples: Int16Array;
  private readonly encodedPackets: readonly Uint8Array[];
  private readonly gainFactor: number;
  private readonly encoder: ReturnType<OpusModule['createEncoder']>;

  /** @param scene the audio; if it has packets, they are recorded without re-encoding at normal gain */
  constructor(
    opus: OpusModule,
    { samples, packets = [] }: Pick<Scene, 'samples' | 'packets'>,
    gain: Settings['micGain'] = 'normal',
  ) {
    this.samples = samples;
    this.encodedPackets = gain === 'normal' ? packets : [];
    this.gainFactor = GAIN_FACTORS[gain];
    this.encoder = opus.createEncoder();
  }

  /** Whether the end of the scene has been reached. */
  get isAtEnd(): boolean {
    return this.position >= this.samples.length;
  }

  /** Peak amplitude of the last packet, from 0 to 1. */
  get level(): number {
    return this.peak;
  }

  /** Returns the next 20 ms as one packet of 160 bytes. */
  nextPacket(): Uint8Array {
    const encoded = this.encodedPackets[this.position / PACKET_SAMPLES];
    const captured = new Int16Array(PACKET_SAMPLES);
    captured.set(this.samples.subarray(this.position, this.position + PACKET_SAMPLES));
    this.position += PACKET_SAMPLES;
    if (this.gainFactor !== 1) {
      // Samples beyond the range are clipped, as in a real microphone.
      for (const [index, sample] of captured.entries()) {
        captured[index] = Math.max(-32768, Math.min(32767, sample * this.gainFactor));
      }
    }
    this.peak = captured.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 32768;
    return encoded ?? this.encoder.encode(captured);
  }

  free(): void {
    this.encoder.free();
  }
}

/** Encodes a complete recording; the last packet is padded with silence. */
export function encodeAll(opus: OpusModule, samples: Int16Array): Uint8Array[] {
  const microphone = new Microphone(opus, { samples });
  const packets: Uint8Array[] = [];
  while (!microphone.isAtEnd) packets.push(microphone.nextPacket());
  microphone.free();
  return packets;
}
