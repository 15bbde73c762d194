import type { CallInput } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

export type FeedbackKind = CallInput<'site/feedback'>['kind'];

/** What somebody is writing to whoever runs the server. */
export type FeedbackDraft = {
  readonly kind: FeedbackKind;
  readonly content: string;
  /** Where to answer; an account has its e-mail. */
  readonly contact: string;
};

export type FeedbackService = {
  /** What was written last and not sent: it outlives the app. */
  draft(): FeedbackDraft;
  keep(draft: FeedbackDraft): void;
  /** The app's log as it would be sent: its newest part, if it is longer than the server takes. */
  log(): Promise<string>;
  /**
   * Sends what was written, in the name of whoever is signed in. What did not arrive stays kept.
   * @param log empty sends none
   */
  send(draft: FeedbackDraft, log: string): Promise<Outcome<null, CallFailure>>;
};
