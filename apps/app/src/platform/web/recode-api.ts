import type { Answer } from './audio-files-api.ts';

/** The interface of a worker that converts an audio file. */
export type RecodeApi = {
  /** @returns the audio in another format */
  recode(
    file: Blob,
    format: 'wav' | 'ogg' | 'mp3',
    onProgress: (fraction: number) => void,
  ): Promise<Answer<Blob, 'no_decoder'>>;
};
