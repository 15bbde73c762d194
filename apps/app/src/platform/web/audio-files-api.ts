import type { AudioStoreErrorCode, FinishedAudio } from '@linnet/sync';
import type { AudioFileKind } from './audio-folder.ts';

/** The result of a call to a worker. Failures are values, because errors lose their codes between threads. */
export type WorkerResult<T, Code extends string = never> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: AudioStoreErrorCode | Code; readonly message: string };

/** The files that are written incrementally, so that an interrupted transfer can be resumed. */
export type GrowingKind = Extract<AudioFileKind, 'packets' | 'download'>;

/** The interface of the worker that stores audio files. */
export type AudioFilesApi = {
  /** Opens a file and truncates it to a multiple of `unitBytes`. @returns the size of the file */
  open(id: string, kind: GrowingKind, unitBytes: number): Promise<WorkerResult<number>>;
  /** Appends bytes and flushes them to disk. @returns the new size of the file */
  append(
    id: string,
    kind: GrowingKind,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<WorkerResult<number>>;
  close(id: string, kind: GrowingKind): Promise<WorkerResult<void>>;
  discard(id: string, kind: GrowingKind): Promise<WorkerResult<void>>;
  /** Extracts the packets of a downloaded audio file. */
  unpack(id: string): Promise<WorkerResult<void>>;
  /** Converts the packets to audio files for storage and playback. */
  finish(id: string, onProgress: (fraction: number) => void): Promise<WorkerResult<FinishedAudio>>;
  /** Deletes all files of a recording. */
  remove(id: string): Promise<WorkerResult<void>>;
  /** Measures the loudness of each packet, 0–255. The packets must follow those of the previous call. */
  levels(id: string, packets: Uint8Array<ArrayBuffer>): Promise<WorkerResult<Uint8Array>>;
};
