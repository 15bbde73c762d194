import type { ReadAt } from '@linnet/audio/samples';

/**
 * Bytes per second assumed for compressed audio without a readable duration: 128 kbit/s, the default of
 * common MP3 and AAC encoders.
 */
const COMPRESSED_BYTES_PER_SECOND = 128_000 / 8;

/**
 * Estimates the duration of an audio file in seconds before decoding: from the header of an Ogg Opus or WAV file,
 * otherwise from its size at the usual bit rate. Returns 0 for an unreadable file, which the import reports.
 */
export async function estimateSeconds(file: Blob): Promise<number> {
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
