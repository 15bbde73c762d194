import { detectAudioKind, KIND_BYTES } from '@linnet/audio/kind';
import { AudioStoreError } from '@linnet/sync';
import { type AudioFileKind, audioFolder, fileName } from './audio-folder.ts';

type ReadableKind = Exclude<AudioFileKind, 'packets' | 'foreign' | 'ogg.part' | 'wav.part'>;

const UNKNOWN_TYPE = 'application/octet-stream';

/** Media types by kind of file. An original's type is detected from its content. */
const mimeTypes: Record<Exclude<ReadableKind, 'original'>, string> = {
  download: UNKNOWN_TYPE,
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  'cleaner.ogg': 'audio/ogg',
  call: UNKNOWN_TYPE,
};

/**
 * Reads an audio file for playback or upload.
 * @returns null if the file doesn't exist
 * @throws AudioStoreError `io_failed`
 */
export async function readAudioFile(
  store: string,
  id: string,
  kind: ReadableKind,
): Promise<Blob | null> {
  try {
    const file = await openFile(store, id, kind);
    // Some media elements require a media type, which the file system doesn't store.
    return file.slice(0, file.size, await detectMediaType(file, kind));
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotFoundError') return null;
    throw new AudioStoreError('io_failed', { cause });
  }
}

async function openFile(store: string, id: string, kind: AudioFileKind): Promise<File> {
  let folder = await navigator.storage.getDirectory();
  for (const name of audioFolder(store)) folder = await folder.getDirectoryHandle(name);
  return (await folder.getFileHandle(fileName(id, kind))).getFile();
}

/** Maximum number of attempts to read a file that a worker appends to five times a second. */
const READ_ATTEMPTS = 5;

/**
 * Reads the bytes `from` up to `to` of a recording's packets, even while a worker appends to them.
 * @returns null if the file doesn't contain the complete range
 * @throws AudioStoreError `io_failed`
 */
export async function readPackets(
  store: string,
  id: string,
  from: number,
  to: number,
): Promise<Uint8Array | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const file = await openFile(store, id, 'packets');
      if (file.size < to) return null;
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    } catch (cause) {
      const name = cause instanceof DOMException ? cause.name : null;
      if (name === 'NotFoundError') return null;
      // The file has changed since it was opened.
      if (name === 'NotReadableError' && attempt < READ_ATTEMPTS) continue;
      throw new AudioStoreError('io_failed', { cause });
    }
  }
}

async function detectMediaType(file: Blob, kind: ReadableKind): Promise<string> {
  if (kind !== 'original') return mimeTypes[kind];
  const firstBytes = await file.slice(0, KIND_BYTES).arrayBuffer();
  return detectAudioKind(new Uint8Array(firstBytes))?.mediaTypes[0] ?? UNKNOWN_TYPE;
}
