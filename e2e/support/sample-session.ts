import { decodeOggToPcm } from '@linnet/audio/convert';
import { CHUNK_BYTES, PACKET_SAMPLES, SAMPLE_RATE, secondsOfPackets } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import type { OpusModule } from '@linnet/audio/opus';
import { PeakMeter } from '@linnet/audio/peaks';
import { writeWave } from '@linnet/audio/wave';
import type { SampleSession } from '@linnet/sync/testing';

/** Session length in packets: more than a store converts per step (40 s), and not a multiple of the chunk size. */
const PACKETS = 45 * 50 + 3;

/** A byte that makes an Opus packet invalid: it declares more frames than allowed (RFC 6716, section 3.2.5). */
const INVALID_PACKET_BYTE = 0xff;

/** Creates an intermittent tone, both as packets and as the files that a store must create from them. */
export function createSampleSession(opus: OpusModule): SampleSession {
  const samples = Int16Array.from({ length: PACKETS * PACKET_SAMPLES }, (_, n) => {
    const loudness = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (3 * SAMPLE_RATE));
    return 12_000 * loudness * Math.sin((2 * Math.PI * 440 * n) / SAMPLE_RATE);
  });
  const encoder = opus.createEncoder();
  const packets = concatenate(
    Array.from({ length: PACKETS }, (_, n) =>
      encoder.encode(samples.subarray(n * PACKET_SAMPLES, (n + 1) * PACKET_SAMPLES)),
    ),
  );
  encoder.free();

  const master = muxOgg(packets);
  const decoded = decodeOggToPcm(master, opus);
  const meter = new PeakMeter();
  meter.push(decoded);

  const garbage = packets.slice();
  garbage.fill(INVALID_PACKET_BYTE, packets.length - CHUNK_BYTES);
  return {
    packets,
    chunkBytes: CHUNK_BYTES,
    master,
    wave: writeWave(decoded, SAMPLE_RATE),
    peaks: meter.peaks(),
    seconds: secondsOfPackets(packets.length),
    garbage,
  };
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
