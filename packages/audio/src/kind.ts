/** The audio files that Linnet decodes with its own code, on phones and on the server. */

/** A kind of audio file: its extension, and the media type with which files are stored and served. */
export type AudioKind = { readonly ext: 'ogg' | 'wav'; readonly mediaType: string };

/** The number of bytes from which {@link detectAudioKind} detects the kind. */
export const KIND_BYTES = 4;

export const oggKind: AudioKind = { ext: 'ogg', mediaType: 'audio/ogg' };
export const waveKind: AudioKind = { ext: 'wav', mediaType: 'audio/wav' };

/**
 * Detects the kind of an audio file, whose content may nevertheless turn out to be undecodable.
 * @param beginning at least {@link KIND_BYTES} bytes
 * @returns null for any other file
 */
export function detectAudioKind(beginning: Uint8Array): AudioKind | null {
  switch (String.fromCharCode(...beginning.subarray(0, KIND_BYTES))) {
    case 'OggS':
      return oggKind;
    case 'RIFF':
      return waveKind;
    default:
      return null;
  }
}
