import { createBlobReader } from './read-blob.ts';

/**
 * Returns when an audio file was recorded, according to its content or name. Returns null without a date, and for an
 * unreadable file, which the import reports later.
 */
export async function findRecordingDate(file: File): Promise<Date | null> {
  try {
    const { recordingDate } = await import('@linnet/audio/recording-date');
    return await recordingDate(createBlobReader(file), file.size, file.name, new Date());
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
