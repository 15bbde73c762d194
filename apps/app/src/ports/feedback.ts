import type { CallInput } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

export type FeedbackKind = CallInput<'site/feedback'>['kind'];

/** Feedback for the operator of the server that has not been sent yet. */
export type FeedbackDraft = {
  readonly kind: FeedbackKind;
  readonly content: string;
  /** The reply address of a signed-out user. For accounts, the server uses the e-mail of the account. */
  readonly contact: string;
};

export type FeedbackService = {
  /** Opens the draft of the current account, or of signed-out users. */
  begin(): FeedbackWriting;
  /** Returns the log of the app as it would be sent: its newest lines, up to the limit of the server. */
  log(): Promise<string>;
};

/** Access to the draft of one user. It refers to the same user even if that user signs out while writing. */
export type FeedbackWriting = {
  /** The unsent draft, which persists across restarts. */
  readonly draft: FeedbackDraft;
  /** Stores the draft. @throws the error of the browser if storage is full */
  save(draft: FeedbackDraft): void;
  /**
   * Sends a draft. If this succeeds, the stored draft is deleted.
   * @param log the log of the app; empty to omit it
   */
  send(draft: FeedbackDraft, log: string): Promise<Outcome<null, CallFailure>>;
};
