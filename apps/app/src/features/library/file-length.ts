import type { ReadAt } from '@linnet/audio/samples';

/**
 * Bytes of a second of compressed audio that announces no length this app reads: 128 kbit/s, the default of the common
 * MP3 and AAC encoders.
 */
const COMPRESSED_BYTES_PER_SECOND = 128_000 / 8;

/**
 * Estimates the length of an audio file before it is decoded, in seconds: what an Ogg Opus or WAV file announces in its
 * header or last page, else its size at the usual bit rate. Of a file that cannot be read it is 0; the import
 * reports that.
 */
export async function lengthOf(file: Blob): Promise<number> {
  const read: ReadAt = async (start, length) =>
    new Uint8Array(await file.slice(start, start + length).arrayBuffer());
  try {
    const { announcedSeconds } = await import('@linnet/audio/samples');
    const announced = await announcedSeconds(read, file.size);
    return announced ?? file.size / COMPRESSED_BYTES_PER_SECOND;
  } catch (error) {
    if (error instanceof DOMException) return 0;
    throw error;
  }
}
