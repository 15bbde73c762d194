import type { CallInput } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

export type FeedbackKind = CallInput<'site/feedback'>['kind'];

/** Feedback for the server's operator that hasn't been sent yet. */
export type FeedbackDraft = {
  readonly kind: FeedbackKind;
  readonly content: string;
  /** A signed-out user's reply address. For accounts, the server uses the account's email. */
  readonly contact: string;
};

export type FeedbackService = {
  /** Opens the current account's draft, or the draft for signed-out users. */
  begin(): FeedbackWriting;
  /** Returns the app's log as it would be sent: the newest lines, up to the server's limit. */
  log(): Promise<string>;
};

/** Access to a user's draft. It remains that user's draft even if they sign out while writing. */
export type FeedbackWriting = {
  /** The unsent draft, which persists across restarts. */
  readonly draft: FeedbackDraft;
  /**
   * Stores the draft.
   * @throws the browser's error when storage is full
   */
  save(draft: FeedbackDraft): void;
  /**
   * Sends a draft. On success, the stored draft is deleted.
   * @param log the app's log; empty to leave it out
   */
  send(draft: FeedbackDraft, log: string): Promise<Outcome<null, CallFailure>>;
};
