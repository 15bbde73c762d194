import { AudioStoreError } from '@linnet/sync';
import { type AudioFileKind, audioFolder, fileName } from './audio-folder.ts';

type PlayableKind = Exclude<AudioFileKind, 'packets'>;

const types: Record<PlayableKind, string> = {
  download: 'application/octet-stream',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  'cleaner.ogg': 'audio/ogg',
};

/** Reads a file for playback or upload; null if it does not exist. @throws AudioStoreError `io_failed` */
export async function readAudioFile(
  store: string,
  id: string,
  kind: PlayableKind,
): Promise<Blob | null> {
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of audioFolder(store)) folder = await folder.getDirectoryHandle(name);
    const found = await (await folder.getFileHandle(fileName(id, kind))).getFile();
    // OPFS stores no media types, which some media elements require.
    return found.slice(0, found.size, types[kind]);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotFoundError') return null;
    throw new AudioStoreError('io_failed', { cause });
  }
}
