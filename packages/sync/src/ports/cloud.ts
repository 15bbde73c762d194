import type { Recording, Task, TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Scene } from '@linnet/contract/statuses';
import type { Sha256 } from '../copies.ts';
import type { MergedPart } from './records.ts';

/** A row of `task/index`. */
export type ServerRow = Recording & { readonly task: TaskHead | null };

/** The server's API for recordings. Calls resolve with failures instead of rejecting. */
export interface Cloud {
  /** Returns the server's recording with the same ID, or null if there is none. */
  check(record: UploadMetadata): Promise<CloudResult<Recording | null>>;
  /**
   * Asks the server to check a recording's stored audio now.
   * @returns the digest that the server computed, or null if it has no audio
   */
  digest(recordId: string): Promise<CloudResult<Sha256 | null>>;
  /** Uploads the master and registers it. `onProgress` receives 0–1. */
  upload(
    record: UploadMetadata,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<Recording>>;
  /**
   * Uploads audio for a single transcription task to use instead of the recording's own audio. `onProgress` receives
   * 0–1.
   * @returns the URL of the uploaded audio
   */
  uploadForTask(
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<string>>;
  /**
   * Downloads a recording's audio file, starting at an offset. `onPiece` receives each piece in order and the size of
   * the complete file; the next piece isn't fetched until it resolves. Rejects if `onPiece` rejects.
   */
  download(
    serverId: string,
    fromByte: number,
    onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<CloudResult<null>>;
  createTask(serverId: string, request: TaskRequest): Promise<CloudResult<{ id: string }>>;
  /** Merges the transcripts of a merged recording's parts. @returns the task with the merged transcript */
  mergeTranscripts(
    serverId: string,
    parts: readonly MergedPart[],
  ): Promise<CloudResult<{ readonly id: string; readonly language: string }>>;
  /** Returns the server's recordings with these IDs. */
  list(ids: readonly string[]): Promise<CloudResult<readonly ServerRow[]>>;
  task(id: string): Promise<CloudResult<Task>>;
}

/** The options of a transcription. */
export type TaskRequest = {
  /** A BCP 47 language tag, or `auto`. */
  readonly language: string;
  /** The ID of the latest completed task, whose results the new task replaces. */
  readonly replaces?: string;
  /** The URL of the audio to transcribe instead of the recording's own audio. */
  readonly audioUrl?: string;
};

export type CloudResult<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** The metadata registered with a recording's upload. */
export type UploadMetadata = {
  readonly id: string;
  readonly name: string;
  readonly scene: Scene;
  readonly seconds: number;
  readonly sn: string;
  readonly recordedAt: string;
  /** True if automatic transcription includes this recording. */
  readonly autoTranscribe: boolean;
  /** The loudness of equal-length sections of the recording, each from 0 to 255. */
  readonly peaks: Uint8Array;
  /** A call's levels, used to tell the speakers apart, or null for other recordings. */
  readonly callLevels: Uint8Array<ArrayBuffer> | null;
};
