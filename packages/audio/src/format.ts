/**
 * The audio format of recorder sessions: raw Opus packets of constant size. The values come from the specification,
 * section 9 (160-byte frames of 20 ms, chunks of 1600 bytes, Ogg granule step 9600), and from RFC 7845 (48 kHz granule
 * clock).
 */

/** Sample rate of the codec's PCM input and output, in hertz. */
export const SAMPLE_RATE = 16_000;

/** Granules per second. Ogg Opus counts time at 48 kHz, whatever the input rate (RFC 7845, section 4). */
export const GRANULE_RATE = 48_000;

/** Size of an Opus packet in bytes: 20 ms at a constant 64 kbit/s. */
export const PACKET_BYTES = 160;

/** Duration of a packet in milliseconds. */
export const PACKET_MS = 20;

/** Samples per packet, at {@link SAMPLE_RATE}. */
export const PACKET_SAMPLES = (SAMPLE_RATE * PACKET_MS) / 1000;

/** Granules (48 kHz samples) per packet. */
export const PACKET_GRANULES = (GRANULE_RATE * PACKET_MS) / 1000;

/** Packets per chunk sent by the recorder, and per Ogg page. */
export const PACKETS_PER_CHUNK = 10;

/** Size of a full chunk in bytes (1600). */
export const CHUNK_BYTES = PACKET_BYTES * PACKETS_PER_CHUNK;

/** Granules per full page (9600). */
export const GRANULE_STEP = PACKET_GRANULES * PACKETS_PER_CHUNK;

/**
 * The encoder's look-ahead in granules, which decoders drop at the start. libopus reports 104 samples at 16 kHz.
 */
export const PRE_SKIP_GRANULES = 312;

/** The encoder's look-ahead in samples at {@link SAMPLE_RATE}. */
export const PRE_SKIP_SAMPLES = (PRE_SKIP_GRANULES * SAMPLE_RATE) / GRANULE_RATE;

/** Converts granules to samples at {@link SAMPLE_RATE}. */
export function toSamples(granules: number): number {
  return Math.round((granules * SAMPLE_RATE) / GRANULE_RATE);
}

/**
 * Returns the final granule position, including the pre-skip, of a stream with `samples` samples at
 * {@link SAMPLE_RATE}.
 */
export function toGranules(samples: number): number {
  return PRE_SKIP_GRANULES + (samples * GRANULE_RATE) / SAMPLE_RATE;
}

/** Returns the duration of `bytes` bytes of packets, in seconds. */
export function secondsOfPackets(bytes: number): number {
  return (Math.floor(bytes / PACKET_BYTES) * PACKET_MS) / 1000;
}
