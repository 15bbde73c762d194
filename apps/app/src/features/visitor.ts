import type { ServerFacts, ServerState } from '../services.ts';
import { type Account, createAccount } from './account/account.ts';
import { type ServerWatch, watchServer } from './server/server-facts.ts';

/** What there is before anybody signed in: the account, and what the server says of itself. */
export type Visitor = { readonly account: Account; readonly server: ServerWatch };

/** @param origin where the server answers; '' for where the page came from */
export function createVisitor(origin: string): Visitor {
  const agreement = () => factsOf(server.state.get())?.agreementVersion ?? null;
  const account = createAccount(origin, agreement);
  const server = watchServer(account.client);
  return { account, server };
}

/** What the server last said; null while it never answered. */
export function factsOf(state: ServerState): ServerFacts | null {
  return state.status === 'unknown' ? null : state.facts;
}
