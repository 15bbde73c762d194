import { AudioStoreError } from '@linnet/sync';
import { type AudioFileKind, audioFolder, fileName } from './audio-folder.ts';

type PlayableKind = Exclude<AudioFileKind, 'packets'>;

const mimeTypes: Record<PlayableKind, string> = {
  download: 'application/octet-stream',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  'cleaner.ogg': 'audio/ogg',
};

/**
 * Reads an audio file for playback or upload.
 * @returns null if the file does not exist
 * @throws AudioStoreError `io_failed`
 */
export async function readAudioFile(
  store: string,
  id: string,
  kind: PlayableKind,
): Promise<Blob | null> {
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of audioFolder(store)) folder = await folder.getDirectoryHandle(name);
    const file = await (await folder.getFileHandle(fileName(id, kind))).getFile();
    // Some media elements require a media type, which the file system does not store.
    return file.slice(0, file.size, mimeTypes[kind]);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotFoundError') return null;
    throw new AudioStoreError('io_failed', { cause });
  }
}
