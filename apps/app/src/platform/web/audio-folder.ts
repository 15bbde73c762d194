/** Where audio lies in the origin-private file system, folder by folder. */
export const AUDIO_FOLDER = ['linnet', 'audio'] as const;

/**
 * `packets`: as received, while a session is read, or converted, while a file is imported; `ogg`: the
 * master; `wav`: the sync output; `cleaner.ogg`: the master without its noise.
 */
export type AudioFileKind = 'packets' | 'ogg' | 'wav' | 'cleaner.ogg';

export function fileName(id: string, kind: AudioFileKind): string {
  return `${id}.${kind}`;
}

/** The path of a file, as a record keeps it. */
export function filePath(id: string, kind: AudioFileKind): string {
  return [...AUDIO_FOLDER, fileName(id, kind)].join('/');
}

/** What a name in the folder stands for; null for a name of something else. */
export function parseFileName(name: string): { id: string; kind: string } | null {
  const dot = name.indexOf('.');
  return dot < 0 ? null : { id: name.slice(0, dot), kind: name.slice(dot + 1) };
}
