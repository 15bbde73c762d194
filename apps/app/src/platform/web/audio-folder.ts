/** Where audio lies in the origin-private file system, folder by folder. */
export const AUDIO_FOLDER = ['linnet', 'audio'] as const;

/** `packets`: as received, while a session is read; `ogg`: the master; `wav`: the sync output. */
export type AudioFileKind = 'packets' | 'ogg' | 'wav';

export function fileName(id: string, kind: AudioFileKind): string {
  return `${id}.${kind}`;
}
