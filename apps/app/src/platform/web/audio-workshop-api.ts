import type { Answer } from './audio-files-api.ts';

/**
 * - `aborted`: canceled.
 * - `no_decoder`: a format that this worker cannot decode; the page may be able to.
 */
export type WorkshopCode = 'aborted' | 'no_decoder';

/** The interface of a worker for one long operation. */
export type AudioWorkshopApi = {
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<void, WorkshopCode>>;
  /** As `convert`, from the decoded samples: 16 kHz mono. */
  encode(
    id: string,
    samples: Int16Array<ArrayBuffer>,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<void, WorkshopCode>>;
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<void, WorkshopCode>>;
  removeDenoised(id: string): Promise<Answer<void>>;
  /** Cancels the current operation, which answers `aborted`. */
  stop(): Promise<void>;
};
