import type { AudioItem } from '@linnet/omi';
import type { AudioStoreErrorCode, FinishedAudio } from '@linnet/sync';
import type { AudioFileKind } from './audio-folder.ts';

/**
 * The result of a call to a worker. Failures are returned as values, because errors lose their codes between threads.
 */
export type WorkerResult<T, Code extends string = never> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: AudioStoreErrorCode | Code; readonly message: string };

/** Files that are written incrementally, so that an interrupted transfer can resume. */
export type GrowingKind = Extract<AudioFileKind, 'packets' | 'download'>;

/** The interface of the worker that stores audio files. */
export type AudioFilesApi = {
  /**
   * Opens a file and truncates it to a multiple of `unitBytes`.
   * @returns the file's size
   */
  open(id: string, kind: GrowingKind, unitBytes: number): Promise<WorkerResult<number>>;
  /**
   * Appends bytes and flushes them to disk.
   * @returns the file's new size
   */
  append(
    id: string,
    kind: GrowingKind,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<WorkerResult<number>>;
  close(id: string, kind: GrowingKind): Promise<WorkerResult<void>>;
  discard(id: string, kind: GrowingKind): Promise<WorkerResult<void>>;
  /** Extracts a downloaded audio file's packets. */
  unpack(id: string): Promise<WorkerResult<void>>;
  /** Converts the packets to audio files for storage and playback. */
  finish(id: string, onProgress: (fraction: number) => void): Promise<WorkerResult<FinishedAudio>>;
  /** Deletes all of a recording's files. */
  remove(id: string): Promise<WorkerResult<void>>;
  /**
   * Converts an Omi's audio to packets in the recorder's format. The audio must continue that of the previous call.
   * @param codec the ID of the Omi's codec
   * @param isLast whether these are the last items of the recording or with this codec
   */
  pack(
    id: string,
    codec: number,
    items: readonly AudioItem[],
    isLast: boolean,
  ): Promise<WorkerResult<Uint8Array>>;
  /** Measures each packet's loudness, 0–255. The packets must continue those of the previous call. */
  levels(id: string, packets: Uint8Array<ArrayBuffer>): Promise<WorkerResult<Uint8Array>>;
};
