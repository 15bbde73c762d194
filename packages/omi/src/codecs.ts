/** An audio codec of an Omi, with the ID that the recorder reports. All are mono. */
export type OmiCodec = {
  readonly id: number;
  readonly format: 'pcm' | 'mulaw' | 'opus';
  /** The sample rate in hertz. */
  readonly sampleRate: 8_000 | 16_000;
  /** The number of samples per packet. */
  readonly samples: number;
  /** Size of a packet in bytes, or null if it varies. */
  readonly bytes: number | null;
};

/**
 * The known codecs. PCM is 16-bit little-endian. Opus packets are 10 ms long on development kits (20) and 20 ms on the
 * CV1 (21).
 */
export const omiCodecs: readonly OmiCodec[] = [
  { id: 0, format: 'pcm', sampleRate: 16_000, samples: 160, bytes: 320 },
  { id: 1, format: 'pcm', sampleRate: 8_000, samples: 160, bytes: 320 },
  { id: 10, format: 'mulaw', sampleRate: 16_000, samples: 160, bytes: 160 },
  { id: 11, format: 'mulaw', sampleRate: 8_000, samples: 160, bytes: 160 },
  { id: 20, format: 'opus', sampleRate: 16_000, samples: 160, bytes: null },
  { id: 21, format: 'opus', sampleRate: 16_000, samples: 320, bytes: null },
];

/** Returns a codec, or undefined if its ID is unknown. */
export function omiCodec(id: number): OmiCodec | undefined {
  return omiCodecs.find((codec) => codec.id === id);
}

/** Returns the duration of a packet in milliseconds. */
export function packetMs({ samples, sampleRate }: OmiCodec): number {
  return (samples * 1000) / sampleRate;
}
