import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Store } from './store.ts';

/**
 * A file that is being imported, couldn't be imported, or didn't need to be imported. `fraction` is 0 to 1. `known`:
 * the account already has a recording with this content.
 */
export type Import = {
  readonly id: string;
  /** The file's name. */
  readonly name: string;
  readonly state:
    | { readonly status: 'waiting' }
    | { readonly status: 'working'; readonly fraction: number }
    | { readonly status: 'known'; readonly recordId: string }
    | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };
};

/** The question to ask the user before an import whose transcription would use up much of the balance. */
export type ImportQuestion = {
  /** Number of files. */
  readonly files: number;
  /**
   * How many minutes transcribing them costs, rounded up per file. If a file doesn't state its duration, it is
   * estimated.
   */
  readonly minutes: number;
  /** The account's balance in minutes, or null until the server has reported it. */
  readonly remainingMinutes: number | null;
};

/** `import` imports the files without transcribing them. */
export type ImportChoice = 'transcribe' | 'import' | 'cancel';

export type ImportService = {
  /** Imports in the order they were added. Completed imports are removed. */
  readonly state: Store<readonly Import[]>;
  /** The question to show to the user, or null. */
  readonly question: Store<ImportQuestion | null>;
  /**
   * Imports files, asking the user first if necessary.
   * @returns whether the files are imported; false if the user canceled
   */
  add(files: readonly File[]): Promise<boolean>;
  /** Answers the question. */
  answer(choice: ImportChoice): void;
  /** Cancels an import, or dismisses one that failed or wasn't needed. */
  cancel(id: string): void;
};
