import { readerOf } from './read-blob.ts';

/**
 * The assumed rate of compressed audio whose duration cannot be read: 128 kbit/s, the default of common MP3 and AAC
 * encoders.
 */
const COMPRESSED_BYTES_PER_SECOND = 128_000 / 8;

/**
 * Estimates the duration of an audio file in seconds without decoding it. The duration of an Ogg Opus or WAV file is
 * read from its header; that of other files is derived from their size. Returns 0 for an unreadable file, because the
 * import reports it later.
 */
export async function estimateSeconds(file: Blob): Promise<number> {
  try {
    const { announcedSeconds } = await import('@linnet/audio/samples');
    const seconds = await announcedSeconds(readerOf(file), file.size);
    return seconds ?? file.size / COMPRESSED_BYTES_PER_SECOND;
  } catch (error) {
    if (error instanceof DOMException) return 0;
    throw error;
  }
}
