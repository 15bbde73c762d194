import { readerOf } from './read-blob.ts';

/**
 * Returns when an audio file was recorded, according to its content or its name. Returns null if neither contains a
 * date. Also returns null if the file is unreadable, because the import reports that later.
 */
export async function findRecordingDate(file: File): Promise<Date | null> {
  try {
    const { recordingDate } = await import('@linnet/audio/recording-date');
    return await recordingDate(readerOf(file), file.size, file.name, new Date());
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
