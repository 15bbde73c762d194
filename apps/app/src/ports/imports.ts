import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/** A file that is being imported or could not be imported. `fraction` is 0 to 1. */
export type Import = {
  readonly id: string;
  /** The name of the file. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

/** The question that the user must answer before an import whose transcription would use much of the balance. */
export type ImportQuestion = {
  /** The number of files. */
  readonly files: number;
  /** The total duration, which is estimated for files that do not contain their duration. */
  readonly seconds: number;
  /** The balance of the account in minutes; null until the server has reported it. */
  readonly leftMinutes: number | null;
};

/** `import` imports the files without transcribing them. */
export type ImportChoice = 'transcribe' | 'import' | 'cancel';

export type ImportService = {
  /** The imports in the order in which they were added. Completed imports are removed. */
  readonly state: Store<readonly Import[]>;
  /** The question to show to the user; null if there is none. */
  readonly question: Store<ImportQuestion | null>;
  /** Imports files, possibly after a question. @returns whether the files are imported; false if the user canceled */
  add(files: readonly File[]): Promise<boolean>;
  /** Answers the question. */
  answer(choice: ImportChoice): void;
  /** Cancels an import, or dismisses a failed one. */
  cancel(id: string): void;
};
