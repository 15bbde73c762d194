import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A file being imported; removed once it has become a recording. `fraction` 0–1. */
export type Import = {
  readonly id: string;
  /** Name of the file. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

/** A confirmation request before an import whose transcription would use much of the balance. */
export type ImportQuestion = {
  readonly files: number;
  /** Total duration, estimated for files without duration metadata. */
  readonly seconds: number;
  /** The account's balance in minutes; null until the server reports it. */
  readonly leftMinutes: number | null;
};

/** `import` skips the transcription, which can be requested later for each recording. */
export type ImportChoice = 'transcribe' | 'import' | 'cancel';

export type ImportService = {
  /** In the order in which they were added. */
  readonly state: Store<readonly Import[]>;
  /** The open question, answered by {@link ImportService.result}; null if there is none. */
  readonly question: Store<ImportQuestion | null>;
  /** @returns whether the files are imported; false if the user canceled */
  add(files: readonly File[]): Promise<boolean>;
  result(choice: ImportChoice): void;
  /** Cancels an import, or dismisses a failed one. */
  cancel(id: string): void;
};
