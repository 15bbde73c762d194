import type { AudioKindId } from '@linnet/audio/kind';
import type { FileDigest } from '@linnet/sync';
import type { WorkerResult } from './audio-files-api.ts';

/**
 * The audio processor's failure codes, in addition to the audio store's codes.
 * - `aborted`: the operation was canceled
 * - `no_decoder`: this worker can't decode the format, but the page may be able to
 */
export type AudioProcessorCode = 'aborted' | 'no_decoder';

/** The interface of the worker for long-running audio jobs. */
export type AudioProcessorApi = {
  /** Computes a file's digests. */
  digest(
    file: Blob,
    onProgress: (fraction: number) => void,
  ): Promise<WorkerResult<FileDigest, AudioProcessorCode>>;
  /** Stores an exact copy of an imported file. */
  keepOriginal(
    id: string,
    file: Blob,
    kind: 'original' | 'foreign',
  ): Promise<WorkerResult<void, AudioProcessorCode>>;
  /**
   * Decodes an audio file and stores it as packets in the recorders' format.
   * @returns the file's kind; null for a file that is never uploaded unchanged
   */
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
  ): Promise<WorkerResult<{ readonly kind: AudioKindId | null }, AudioProcessorCode>>;
  /** Like `convert`, but takes samples (16 kHz mono) that the page has already decoded. */
  encode(
    id: string,
    file: Blob,
    samples: Int16Array<ArrayBuffer>,
    onProgress: (fraction: number) => void,
  ): Promise<WorkerResult<{ readonly kind: AudioKindId | null }, AudioProcessorCode>>;
  /**
   * Concatenates the packets of finished recordings in the temporary file of a new recording.
   * @returns where each part starts, in seconds
   */
  join(
    id: string,
    parts: readonly string[],
    onProgress: (fraction: number) => void,
  ): Promise<WorkerResult<readonly number[], AudioProcessorCode>>;
  /** Creates a recording's denoised version. */
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
  ): Promise<WorkerResult<void, AudioProcessorCode>>;
  removeDenoised(id: string): Promise<WorkerResult<void>>;
  /** Cancels the current operation, which then fails with `aborted`. */
  stop(): Promise<void>;
};
