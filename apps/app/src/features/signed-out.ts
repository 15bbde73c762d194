import type { FeedbackService } from '../ports/feedback.ts';
import type { ServerFacts, ServerState } from '../ports/server.ts';
import type { ServerAddressService } from '../ports/server-address.ts';
import { loadChunk } from '../runtime/chunks.ts';
import { type Account, createAccount } from './account/account.ts';
import { createSignOuts } from './account/sign-outs.ts';
import { cacheEntry } from './cache.ts';
import { createFeedback } from './feedback/feedback.ts';
import {
  chooseAddress,
  chosenAddress,
  ownAddress,
  ownerOf,
  storeOf,
} from './server/server-address.ts';
import { type ServerWatch, watchServer } from './server/server-facts.ts';

/** What there is before anybody signed in: the account, what the server says of itself, and a word to it. */
export type SignedOut = {
  readonly account: Account;
  /** What the account is called on this phone; null for nobody. */
  readonly owner: () => string | null;
  readonly server: ServerWatch;
  readonly address: ServerAddressService;
  readonly feedback: FeedbackService;
  /** The folder on this phone of all that belongs to accounts of that server. */
  readonly store: string;
};

/** @param restart begins anew, with nothing of what was */
export function createSignedOut(restart: () => Promise<void>): SignedOut {
  // As long as this page runs: its recordings, its tokens and its facts are that server's.
  const current = chosenAddress();
  const signOuts = createSignOuts(console.error);
  const account = createAccount(current, signOuts);
  // What was signed out without a network, in an earlier page too.
  void signOuts.settle();
  addEventListener('online', () => void signOuts.settle());
  const server = watchServer(account.client);
  const address: ServerAddressService = {
    current,
    own: ownAddress(),
    async find(typed) {
      const { findServer } = await loadChunk(() => import('./server/find-server.ts'));
      return findServer(typed);
    },
    async use(found) {
      await account.service.signOut();
      cacheEntry.clearAll();
      chooseAddress(found);
      await restart();
    },
  };
  const owner = () => {
    const state = account.service.state.get();
    return state.status === 'signed-in' ? ownerOf(current, state.user.id) : null;
  };
  const feedback = createFeedback(account.client, owner, ownerOf(current, 'visitor'));
  return { account, owner, server, address, feedback, store: storeOf(current) };
}

/** What the server last said; null while it never answered. */
export function factsOf(state: ServerState): ServerFacts | null {
  return state.status === 'unknown' ? null : state.facts;
}
