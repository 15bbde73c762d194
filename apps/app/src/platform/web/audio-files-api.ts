import type { AudioStoreErrorCode, FinishedAudio } from '@linnet/sync';

/** Failures travel as values: errors lose their codes on the way between threads. */
export type Answer<T, Code extends string = never> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: AudioStoreErrorCode | Code; readonly message: string };

/** What the audio worker does for the page. */
export type AudioFilesApi = {
  /** @returns durable bytes, cut back to whole chunks */
  openPackets(id: string, chunkBytes: number): Promise<Answer<number>>;
  /** @returns durable bytes afterwards */
  append(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<Answer<number>>;
  closePackets(id: string): Promise<Answer<void>>;
  discardPackets(id: string): Promise<Answer<void>>;
  finish(id: string, onProgress: (fraction: number) => void): Promise<Answer<FinishedAudio>>;
  remove(id: string): Promise<Answer<void>>;
  /** @returns the loudness of each packet of a recording, 0–255; they follow those of the call before */
  levels(id: string, packets: Uint8Array<ArrayBuffer>): Promise<Answer<Uint8Array>>;
};
