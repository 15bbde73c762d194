/**
 * The path of the audio folder in the origin-private file system.
 * @param store the server's folder, as `features/server/server-address.ts` names it
 */
export function audioFolder(store: string): readonly string[] {
  return [store, 'audio'];
}

/**
 * `packets`: as received during a transfer, or converted during an import; `download`: a stored file as
 * received from the cloud; `ogg`: the master; `wav`: the sync output; `cleaner.ogg`: the denoised master.
 */
export type AudioFileKind = 'packets' | 'download' | 'ogg' | 'wav' | 'cleaner.ogg';

export function fileName(id: string, kind: AudioFileKind): string {
  return `${id}.${kind}`;
}

/** The path of a file, as stored in its record. */
export function filePath(store: string, id: string, kind: AudioFileKind): string {
  return [...audioFolder(store), fileName(id, kind)].join('/');
}

/** Parses a file name; null if it has another form. */
export function parseFileName(name: string): { id: string; kind: string } | null {
  const dot = name.indexOf('.');
  return dot < 0 ? null : { id: name.slice(0, dot), kind: name.slice(dot + 1) };
}
