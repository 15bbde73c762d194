import type { AudioStoreErrorCode, FinishedAudio } from '@linnet/sync';
import type { AudioFileKind } from './audio-folder.ts';

/** Failures travel as values: errors lose their codes on the way between threads. */
export type Answer<T, Code extends string = never> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: AudioStoreErrorCode | Code; readonly message: string };

/** Files that are written piece by piece, and resumed. */
export type GrowingKind = Extract<AudioFileKind, 'packets' | 'download'>;

/** What the audio worker does for the page. */
export type AudioFilesApi = {
  /** Opens a file that grows. @returns durable bytes, cut back to a multiple of `unitBytes` */
  open(id: string, kind: GrowingKind, unitBytes: number): Promise<Answer<number>>;
  /** @returns durable bytes afterwards */
  append(id: string, kind: GrowingKind, bytes: Uint8Array<ArrayBuffer>): Promise<Answer<number>>;
  close(id: string, kind: GrowingKind): Promise<Answer<void>>;
  discard(id: string, kind: GrowingKind): Promise<Answer<void>>;
  /** Makes packets of a download. */
  unpack(id: string): Promise<Answer<void>>;
  finish(id: string, onProgress: (fraction: number) => void): Promise<Answer<FinishedAudio>>;
  remove(id: string): Promise<Answer<void>>;
  /** @returns the loudness of each packet of a recording, 0–255; they follow those of the call before */
  levels(id: string, packets: Uint8Array<ArrayBuffer>): Promise<Answer<Uint8Array>>;
};
