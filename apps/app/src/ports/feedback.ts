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
  /** The app's log as sent to the server: its newest lines, up to the server's limit. */
  log(): Promise<string>;
};

/** The draft of one user. It stays with that user, even after a sign-out while writing. */
export type FeedbackWriting = {
  /** The last unsent draft; persists across restarts. */
  readonly draft: FeedbackDraft;
  /** @throws the browser's error when storage is full */
  save(draft: FeedbackDraft): void;
  /**
   * Sends the draft from the current account. A failure leaves the draft unchanged.
   * @param log the app's log; empty to omit it
   */
  send(draft: FeedbackDraft, log: string): Promise<Outcome<null, CallFailure>>;
};
