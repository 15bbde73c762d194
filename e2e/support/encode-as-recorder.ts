import { PACKET_SAMPLES } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';

/**
 * Encodes samples (16 kHz, mono) with the recorder's settings, and pads the last packet with silence.
 * @param times how many times to repeat the packets, to create long audio quickly
 * @returns an Ogg file
 */
export async function encodeAsRecorder(
  samples: Int16Array,
  times = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = (await loadOpus(readOpusWasm())).createEncoder();
  const packets: Uint8Array[] = [];
  for (let offset = 0; offset < samples.length; offset += PACKET_SAMPLES) {
    const packet = new Int16Array(PACKET_SAMPLES);
    packet.set(samples.subarray(offset, offset + PACKET_SAMPLES));
    packets.push(encoder.encode(packet).slice());
  }
  encoder.free();
  return muxOgg(new Uint8Array(Buffer.concat(Array(times).fill(packets).flat())));
}
