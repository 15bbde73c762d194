/** The microphone, and the encoder behind it. */

import { SAMPLE_RATE } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import type { Settings } from '../device-types.ts';

/** Samples of one packet: 20 ms. */
const PACKET_SAMPLES = SAMPLE_RATE / 50;

/** Factors of the recorder's gains: 6 dB down, as it is, 6 dB up. */
const FACTORS: Readonly<Record<Settings['micGain'], number>> = { low: 0.5, normal: 1, high: 2 };

/** Listens to one scene from its beginning; behind its end the room is silent. */
export class Microphone {
  private position = 0;
  private peak = 0;
  private readonly samples: Int16Array;
  private readonly factor: number;
  private readonly encoder: ReturnType<OpusModule['createEncoder']>;

  constructor(opus: OpusModule, samples: Int16Array, gain: Settings['micGain'] = 'normal') {
    this.samples = samples;
    this.factor = FACTORS[gain];
    this.encoder = opus.createEncoder();
  }

  /** Whether the scene has been heard to its end. */
  get atEnd(): boolean {
    return this.position >= this.samples.length;
  }

  /** The largest amplitude of the last packet, 0 to 1. */
  get level(): number {
    return this.peak;
  }

  /** The next 20 ms: one packet of 160 bytes. */
  nextPacket(): Uint8Array {
    const heard = new Int16Array(PACKET_SAMPLES);
    heard.set(this.samples.subarray(this.position, this.position + PACKET_SAMPLES));
    this.position += PACKET_SAMPLES;
    if (this.factor !== 1) {
      // What is louder than the microphone's range is cut off, as it is there.
      for (const [at, sample] of heard.entries()) {
        heard[at] = Math.max(-32768, Math.min(32767, sample * this.factor));
      }
    }
    this.peak = heard.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32768;
    return this.encoder.encode(heard);
  }

  free(): void {
    this.encoder.free();
  }
}

/** A whole recording at once, its last packet filled up with silence. */
export function encodeAll(opus: OpusModule, samples: Int16Array): Uint8Array[] {
  const microphone = new Microphone(opus, samples);
  const packets: Uint8Array[] = [];
  while (!microphone.atEnd) packets.push(microphone.nextPacket());
  microphone.free();
  return packets;
}
