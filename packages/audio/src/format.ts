/**
 * The audio format of recorder sessions: a sequence of raw Opus packets of constant size. Sources: the specification,
 * section 9 (160-byte frames of 20 ms, chunks of 1600 bytes, Ogg granule step 9600), and RFC 7845 (48 kHz granule clock).
 */

/** Samples per second of the codec's PCM input and output. */
export const SAMPLE_RATE = 16_000;

/** Granules per second: Ogg Opus counts time at 48 kHz regardless of the input rate (RFC 7845, section 4). */
export const GRANULE_RATE = 48_000;

/** Bytes of one Opus packet: 64 kbit/s × 20 ms, constant bit rate. */
export const PACKET_BYTES = 160;

/** Milliseconds of audio in one packet. */
export const PACKET_MS = 20;

/** Samples in one packet at {@link SAMPLE_RATE}. */
export const PACKET_SAMPLES = (SAMPLE_RATE * PACKET_MS) / 1000;

/** Granules (48 kHz samples) in one packet. */
export const PACKET_GRANULES = (GRANULE_RATE * PACKET_MS) / 1000;

/** Packets per chunk over the radio, and per Ogg page. */
export const PACKETS_PER_CHUNK = 10;

/** Bytes of a full chunk (1600). */
export const CHUNK_BYTES = PACKET_BYTES * PACKETS_PER_CHUNK;

/** Granule step of a full page (9600). */
export const GRANULE_STEP = PACKET_GRANULES * PACKETS_PER_CHUNK;

/**
 * The encoder's look-ahead in granules, dropped at the start of decoding: libopus reports 104 samples at 16 kHz.
 */
export const PRE_SKIP_GRANULES = 312;

/** The same look-ahead in samples at {@link SAMPLE_RATE}. */
export const PRE_SKIP_SAMPLES = (PRE_SKIP_GRANULES * SAMPLE_RATE) / GRANULE_RATE;

/** Converts granules to samples at {@link SAMPLE_RATE}. */
export function samplesOf(granules: number): number {
  return Math.round((granules * SAMPLE_RATE) / GRANULE_RATE);
}

/** Returns the final granule position of a stream of `samples` at {@link SAMPLE_RATE}, pre-skip included. */
export function granulesOf(samples: number): number {
  return PRE_SKIP_GRANULES + (samples * GRANULE_RATE) / SAMPLE_RATE;
}

/** Returns the seconds of audio in `bytes` bytes of packets. */
export function secondsOfPackets(bytes: number): number {
  return (Math.floor(bytes / PACKET_BYTES) * PACKET_MS) / 1000;
}
