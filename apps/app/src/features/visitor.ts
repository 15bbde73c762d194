import type { FeedbackService, ServerFacts, ServerState } from '../services.ts';
import { type Account, createAccount } from './account/account.ts';
import { createFeedback } from './feedback/feedback.ts';
import { type ServerWatch, watchServer } from './server/server-facts.ts';

/** What there is before anybody signed in: the account, what the server says of itself, and a word to it. */
export type Visitor = {
  readonly account: Account;
  readonly server: ServerWatch;
  readonly feedback: FeedbackService;
};

export function createVisitor(): Visitor {
  const account = createAccount(() => factsOf(server.state.get())?.agreementVersion ?? null);
  const server = watchServer(account.client);
  const feedback = createFeedback(account.client, account.service.state);
  return { account, server, feedback };
}

/** What the server last said; null while it never answered. */
export function factsOf(state: ServerState): ServerFacts | null {
  return state.status === 'unknown' ? null : state.facts;
}
