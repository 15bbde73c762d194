/**
 * Returns the path of the folder for audio files in the origin-private file system.
 * @param store name of the folder for this server's files, from `features/server/server-address.ts`
 */
export function audioFolder(store: string): readonly string[] {
  return [store, 'audio'];
}

/**
 * The kind of an audio file, used as its file name extension.
 * - `packets`: packets received from a recorder, or converted during an import
 * - `download`: an audio file as received from the cloud
 * - `original`: an imported file, unchanged, which is uploaded
 * - `foreign`: an imported file, unchanged, that the server can't decode
 * - `ogg`: the packets as an Ogg Opus file
 * - `wav`: the decoded audio for playback
 * - `ogg.part`, `wav.part`: the `ogg` and `wav` files while they are being written
 * - `cleaner.ogg`: the denoised version
 * - `call`: the levels of a call's two inputs (`@linnet/audio/call`)
 */
export type AudioFileKind =
  | 'packets'
  | 'download'
  | 'original'
  | 'foreign'
  | 'ogg'
  | 'wav'
  | 'ogg.part'
  | 'wav.part'
  | 'cleaner.ogg'
  | 'call';

export function fileName(id: string, kind: AudioFileKind): string {
  return `${id}.${kind}`;
}

/** Returns a file's path, which is stored in its record. */
export function filePath(store: string, id: string, kind: AudioFileKind): string {
  return [...audioFolder(store), fileName(id, kind)].join('/');
}

/**
 * Parses an audio file's name.
 * @returns null for other files
 */
export function parseFileName(name: string): { id: string; kind: string } | null {
  const dot = name.indexOf('.');
  return dot < 0 ? null : { id: name.slice(0, dot), kind: name.slice(dot + 1) };
}
