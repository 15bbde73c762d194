import type { Answer } from './audio-files-api.ts';

/** What a worker does for one file of sound. */
export type RecodeApi = {
  /** @returns the sound as a file of another kind */
  recode(
    file: Blob,
    format: 'wav' | 'ogg' | 'mp3',
    onProgress: (fraction: number) => void,
  ): Promise<Answer<Blob, 'no_decoder'>>;
};
