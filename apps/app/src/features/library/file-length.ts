import { createBlobReader } from './read-blob.ts';

/**
 * Assumed rate of compressed audio whose duration can't be read: 128 kbit/s, the default of common MP3 and AAC
 * encoders.
 */
const COMPRESSED_BYTES_PER_SECOND = 128_000 / 8;

/**
 * Estimates an audio file's duration in seconds without decoding it. For Ogg Opus and WAV, reads it from the header;
 * for other files, derives it from their size. Returns 0 for an unreadable file, because the import reports that later.
 */
export async function estimateSeconds(file: Blob): Promise<number> {
  try {
    const { declaredSeconds } = await import('@linnet/audio/samples');
    const seconds = await declaredSeconds(createBlobReader(file), file.size);
    return seconds ?? file.size / COMPRESSED_BYTES_PER_SECOND;
  } catch (error) {
    if (error instanceof DOMException) return 0;
    throw error;
  }
}
