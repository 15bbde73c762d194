/** Asks the user before an import whose transcription would use up a large part of the balance. */
import { Mutex, writable } from '@linnet/base';
import { minutesFor } from '@linnet/contract/durations';
import type { ImportChoice, ImportQuestion } from '../../ports/imports.ts';
import type { Store } from '../../ports/store.ts';
import { estimateSeconds } from './file-length.ts';

/** Files that cost at most this many minutes are transcribed without asking the user. */
const CONFIRM_MINUTES = 10;

export type ImportConfirmation = {
  /** The open question, or null. */
  readonly question: Store<ImportQuestion | null>;
  answer(choice: ImportChoice): void;
  /** Decides how to import files, asking the user if necessary. Only one question is open at a time. */
  confirm(files: readonly File[]): Promise<ImportChoice>;
};

/**
 * @param getBalance returns the balance that transcribing imports is charged to; null if imports aren't transcribed
 *   automatically or transcription is free
 */
export function createImportConfirmation(
  getBalance: () => Pick<ImportQuestion, 'remainingMinutes'> | null,
): ImportConfirmation {
  const question = writable<ImportQuestion | null>(null);
  let answer: (choice: ImportChoice) => void = () => {};
  const questions = new Mutex();

  async function ask(
    files: readonly File[],
    balance: Pick<ImportQuestion, 'remainingMinutes'>,
  ): Promise<ImportChoice> {
    const durations = await Promise.all(files.map(estimateSeconds));
    const minutes = durations.reduce((sum, seconds) => sum + minutesFor(seconds), 0);
    if (minutes <= CONFIRM_MINUTES) return 'transcribe';
    const { promise, resolve } = Promise.withResolvers<ImportChoice>();
    answer = resolve;
    question.set({ files: files.length, minutes, ...balance });
    const choice = await promise;
    question.set(null);
    return choice;
  }

  return {
    question,
    answer: (choice) => answer(choice),
    async confirm(files) {
      const balance = getBalance();
      if (balance === null) return 'transcribe';
      return questions.run(() => ask(files, balance));
    },
  };
}
