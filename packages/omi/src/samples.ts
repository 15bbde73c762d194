/** Decodes all codecs except Opus to 16-bit samples. */
import type { OmiCodec } from './codecs.ts';

/** Added to the magnitude of a µ-law sample before it's encoded (ITU-T G.711, scaled to 16 bits). */
const MULAW_BIAS = 132;

/** The sample of each µ-law byte. */
const mulawSamples = Int16Array.from({ length: 256 }, (_, byte) => {
  // All bits are inverted on the wire: the sign, three bits of the exponent, four bits of the mantissa.
  const bits = ~byte & 0xff;
  const exponent = (bits >> 4) & 7;
  const magnitude = ((((bits & 15) << 3) + MULAW_BIAS) << exponent) - MULAW_BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
});

/** Decodes a packet of PCM or µ-law, at the codec's sample rate. An incomplete last sample is dropped. */
export function decodeSamples(
  format: Exclude<OmiCodec['format'], 'opus'>,
  bytes: Uint8Array,
): Int16Array<ArrayBuffer> {
  if (format === 'mulaw') return Int16Array.from(bytes, (byte) => mulawSamples[byte] as number);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.length >> 1 }, (_, index) =>
    view.getInt16(index * 2, true),
  );
}
