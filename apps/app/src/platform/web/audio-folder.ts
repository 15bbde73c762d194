/**
 * Where audio lies in the origin-private file system, folder by folder.
 * @param store the folder of all that is one server's, as `features/server/server-address.ts` names it
 */
export function audioFolder(store: string): readonly string[] {
  return [store, 'audio'];
}

/**
 * `packets`: as received, while a session is read, or converted, while a file is imported; `download`: a stored
 * file as it comes from the cloud; `ogg`: the master; `wav`: the sync output; `cleaner.ogg`: the master without its noise.
 */
export type AudioFileKind = 'packets' | 'download' | 'ogg' | 'wav' | 'cleaner.ogg';

export function fileName(id: string, kind: AudioFileKind): string {
  return `${id}.${kind}`;
}

/** The path of a file, as a record keeps it. */
export function filePath(store: string, id: string, kind: AudioFileKind): string {
  return [...audioFolder(store), fileName(id, kind)].join('/');
}

/** What a name in the folder stands for; null for a name of something else. */
export function parseFileName(name: string): { id: string; kind: string } | null {
  const dot = name.indexOf('.');
  return dot < 0 ? null : { id: name.slice(0, dot), kind: name.slice(dot + 1) };
}
