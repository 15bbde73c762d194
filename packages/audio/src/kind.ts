/** The containers of audio files, by their first bytes. */

/** A container: its file extension, and the media type with which files are stored and served. */
export type AudioKind = { readonly ext: string; readonly mediaType: string };

/** The number of bytes that {@link detectAudioKind} needs. */
export const KIND_BYTES = 16;

const kinds = {
  ogg: { ext: 'ogg', mediaType: 'audio/ogg' },
  wav: { ext: 'wav', mediaType: 'audio/wav' },
  flac: { ext: 'flac', mediaType: 'audio/flac' },
  mp4: { ext: 'm4a', mediaType: 'audio/mp4' },
  webm: { ext: 'webm', mediaType: 'audio/webm' },
  aac: { ext: 'aac', mediaType: 'audio/aac' },
  mp3: { ext: 'mp3', mediaType: 'audio/mpeg' },
  unknown: { ext: 'bin', mediaType: 'application/octet-stream' },
} as const satisfies Record<string, AudioKind>;

/** The containers that can be detected. */
export const audioKinds: readonly AudioKind[] = Object.values(kinds);

/**
 * Detects the container of an audio file.
 * @param bytes the beginning of the file, at least {@link KIND_BYTES} bytes unless the file is shorter
 * @returns the media type `application/octet-stream` if the container is unknown
 */
export function detectAudioKind(bytes: Uint8Array): AudioKind {
  const text = String.fromCharCode(...bytes.subarray(0, KIND_BYTES));
  if (text.startsWith('OggS')) return kinds.ogg;
  if (/^(RIFF|RF64)/.test(text) && text.slice(8, 12) === 'WAVE') return kinds.wav;
  if (text.startsWith('fLaC')) return kinds.flac;
  if (text.slice(4, 8) === 'ftyp') return kinds.mp4;
  // The EBML header of Matroska and WebM (RFC 8794, section 11.2.1).
  if (text.startsWith('\x1aE\xdf\xa3')) return kinds.webm;
  if (text.startsWith('ID3')) return kinds.mp3;
  // A frame begins with twelve set bits in ADTS (ISO 13818-7) and eleven in MPEG audio (ISO 11172-3), whose layer bits
  // are 00 only in ADTS.
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && (second & 0xf6) === 0xf0) return kinds.aac;
  if (first === 0xff && (second & 0xe0) === 0xe0) return kinds.mp3;
  return kinds.unknown;
}
