import type { CallData } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** Transcribes the account's drafts again with the server's better engine, which costs no minutes. */
export type RetranscriptionService = {
  /** Counts the drafts that can be transcribed again. */
  countDrafts(): Promise<Outcome<number, CallFailure>>;
  /**
   * Returns the minutes that a transcription of a recording's own audio costs; 0 if it replaces a draft.
   * @param id the recording's ID on the server
   */
  price(id: string, language: string): Promise<Outcome<number, CallFailure>>;
  /** Queues the transcriptions. The call is idempotent. */
  replaceDrafts(): Promise<Outcome<CallData<'task/replace-drafts'>, CallFailure>>;
};
