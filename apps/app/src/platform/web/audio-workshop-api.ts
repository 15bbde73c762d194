import type { Answer } from './audio-files-api.ts';

/**
 * - `aborted`: called off.
 * - `no_decoder`: a format that this worker cannot decode; the page may be able to.
 */
export type WorkshopCode = 'aborted' | 'no_decoder';

/** What a worker does for one piece of longer work. */
export type AudioWorkshopApi = {
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<void, WorkshopCode>>;
  /** As `convert`, with the samples of the file: 16 kHz mono. */
  encode(
    id: string,
    samples: Int16Array<ArrayBuffer>,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<void, WorkshopCode>>;
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<void, WorkshopCode>>;
  removeCleaner(id: string): Promise<Answer<void>>;
  /** Calls off what is under way; it answers `aborted`. */
  stop(): Promise<void>;
};
