import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A file on its way to becoming a recording; one that became one is gone from here. `fraction` 0–1. */
export type Import = {
  readonly id: string;
  /** Of the file. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

/** Asks before files are imported whose automatic transcription would use much of the balance. */
export type ImportQuestion = {
  readonly files: number;
  /** Length of all of them, estimated where a file does not announce it. */
  readonly seconds: number;
  /** The account's balance, in minutes; null until the server told it. */
  readonly leftMinutes: number | null;
};

/** - `import`: without transcribing; each can be transcribed later by hand. */
export type ImportChoice = 'transcribe' | 'import' | 'cancel';

export type ImportService = {
  /** In the order in which they were added. */
  readonly state: Store<readonly Import[]>;
  /** The question that waits for {@link ImportService.answer}; null while none does. */
  readonly question: Store<ImportQuestion | null>;
  /** @returns whether the files are imported: not where the owner was asked, and canceled */
  add(files: readonly File[]): Promise<boolean>;
  answer(choice: ImportChoice): void;
  /** Calls it off, or puts a failed one out of sight. */
  cancel(id: string): void;
};
