import type { ReadAt } from '@linnet/audio/samples';

/**
 * Returns when an audio file was recorded, according to its content or its name. Returns null if neither states it, or
 * if the file is unreadable, because the import reports that.
 */
export async function findRecordingDate(file: File): Promise<Date | null> {
  const read: ReadAt = async (start, length) =>
    new Uint8Array(await file.slice(start, start + length).arrayBuffer());
  try {
    const { recordingDate } = await import('@linnet/audio/recording-date');
    return await recordingDate(read, file.size, file.name, new Date());
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
