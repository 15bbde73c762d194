import type { CallInput } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

export type FeedbackKind = CallInput<'site/feedback'>['kind'];

/** Feedback to the server's operator, before it is sent. */
export type FeedbackDraft = {
  readonly kind: FeedbackKind;
  readonly content: string;
  /** Reply address; accounts use their e-mail. */
  readonly contact: string;
};

export type FeedbackService = {
  /** Starts or resumes the draft of the current user, signed in or not. */
  begin(): FeedbackWriting;
  /** The app's log as it would be sent: truncated to its newest part if it exceeds the server's limit. */
  log(): Promise<string>;
};

/** One user's draft. It stays theirs, even if they sign out while writing. */
export type FeedbackWriting = {
  /** The last unsent draft; it survives a restart. */
  readonly draft: FeedbackDraft;
  /** @throws the browser's error when storage is full */
  save(draft: FeedbackDraft): void;
  /**
   * Sends the draft in the name of the current account. On failure the draft is kept.
   * @param log empty for none
   */
  send(draft: FeedbackDraft, log: string): Promise<Outcome<null, CallFailure>>;
};
