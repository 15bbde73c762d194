import type { WorkerResult } from './audio-files-api.ts';

/** The interface of the worker that converts an audio file. */
export type RecodeApi = {
  /** Converts a file to a different format. */
  recode(
    file: Blob,
    format: 'wav' | 'ogg' | 'mp3',
    onProgress: (fraction: number) => void,
  ): Promise<WorkerResult<Blob, 'no_decoder'>>;
};
