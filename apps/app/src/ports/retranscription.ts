import type { CallData } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** Transcribes the account's drafts again with the server's better engine, which costs no minutes. */
export type RetranscriptionService = {
  /** Counts the drafts that can be transcribed again. */
  countDrafts(): Promise<Outcome<number, CallFailure>>;
  /** Queues the transcriptions. Repeating the call queues nothing twice. */
  replaceDrafts(): Promise<Outcome<CallData<'task/replace-drafts'>, CallFailure>>;
};
