import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/**
 * A file that is being imported, could not be imported, or did not need to be. `fraction` is 0 to 1. `known`: the
 * account already has a recording of this content.
 */
export type Import = {
  readonly id: string;
  /** The name of the file. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'known'; readonly recordId: string }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

/** The question that the user must answer before an import whose transcription would use much of the balance. */
export type ImportQuestion = {
  /** The number of files. */
  readonly files: number;
  /**
   * The minutes that their transcription costs, each file rounded up. The duration of files that do not contain it is
   * estimated.
   */
  readonly minutes: number;
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
  /** Cancels an import, or dismisses one that has failed or was not needed. */
  cancel(id: string): void;
};
