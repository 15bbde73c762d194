import type { AudioStoreErrorCode, FinishedAudio } from '@linnet/sync';
import type { AudioFileKind } from './audio-folder.ts';

/** The result of a worker call. Failures are values, because errors lose their codes between threads. */
export type Answer<T, Code extends string = never> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: AudioStoreErrorCode | Code; readonly message: string };

/** Files that are written incrementally and can be resumed. */
export type GrowingKind = Extract<AudioFileKind, 'packets' | 'download'>;

/** The audio worker's interface. */
export type AudioFilesApi = {
  /** Opens a growing file. @returns its durable bytes, truncated to a multiple of `unitBytes` */
  open(id: string, kind: GrowingKind, unitBytes: number): Promise<Answer<number>>;
  /** @returns the durable bytes afterwards */
  append(id: string, kind: GrowingKind, bytes: Uint8Array<ArrayBuffer>): Promise<Answer<number>>;
  close(id: string, kind: GrowingKind): Promise<Answer<void>>;
  discard(id: string, kind: GrowingKind): Promise<Answer<void>>;
  /** Extracts the packets of a downloaded file. */
  unpack(id: string): Promise<Answer<void>>;
  finish(id: string, onProgress: (fraction: number) => void): Promise<Answer<FinishedAudio>>;
  remove(id: string): Promise<Answer<void>>;
  /** @returns the loudness of each packet, 0–255; packets must follow those of the previous call */
  levels(id: string, packets: Uint8Array<ArrayBuffer>): Promise<Answer<Uint8Array>>;
};
