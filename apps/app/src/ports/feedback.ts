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
  /** What is being written by whoever is here now: somebody signed in, or a signed-out user. */
  begin(): FeedbackWriting;
  /** The app's log as it would be sent: its newest part, if it is longer than the server takes. */
  log(): Promise<string>;
};

/** One person's words, and theirs they stay: signing out on the way does not give them to somebody else. */
export type FeedbackWriting = {
  /** What they wrote last and did not send: it outlives the app. */
  readonly draft: FeedbackDraft;
  /** @throws what the browser says when it takes no more */
  keep(draft: FeedbackDraft): void;
  /**
   * Sends what was written, in the name of whoever is signed in. What did not arrive stays kept.
   * @param log empty sends none
   */
  send(draft: FeedbackDraft, log: string): Promise<Outcome<null, CallFailure>>;
};
