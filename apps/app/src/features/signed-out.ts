import type { FeedbackService } from '../ports/feedback.ts';
import type { ServerInfo, ServerState } from '../ports/server.ts';
import type { ServerAddressService } from '../ports/server-address.ts';
import { loadChunk } from '../runtime/chunks.ts';
import { type Account, createAccount } from './account/account.ts';
import { createSignOuts } from './account/sign-outs.ts';
import { cacheEntry } from './cache.ts';
import { createFeedback } from './feedback/feedback.ts';
import {
  chooseAddress,
  currentAddress,
  getAccountKey,
  getOwnAddress,
  getStorageFolder,
} from './server/server-address.ts';
import { type ServerWatch, watchServer } from './server/server-info.ts';

/** Services available without signing in. */
export type SignedOut = {
  readonly account: Account;
  /** Returns the signed-in account's key on this phone; null while signed out. */
  readonly owner: () => string | null;
  readonly server: ServerWatch;
  readonly address: ServerAddressService;
  readonly feedback: FeedbackService;
  /** The folder on this phone for this server's accounts. */
  readonly store: string;
};

/** @param restart reloads the app */
export function createSignedOut(restart: () => Promise<void>): SignedOut {
  // The server stays the same until the page is closed, because choosing another server restarts the app.
  const current = currentAddress();
  const signOuts = createSignOuts(console.error);
  const account = createAccount(current, () => document.documentElement.lang, signOuts);
  // Complete earlier sign-outs that failed because the server was unreachable.
  void signOuts.settle();
  addEventListener('online', () => void signOuts.settle());
  const server = watchServer(account.client);
  const address: ServerAddressService = {
    current,
    own: getOwnAddress(),
    async find(input) {
      const { findServer } = await loadChunk(() => import('./server/find-server.ts'));
      return findServer(input);
    },
    async use(newAddress) {
      await account.service.signOut();
      cacheEntry.clearAll();
      chooseAddress(newAddress);
      await restart();
    },
  };
  const owner = () => {
    const state = account.service.state.get();
    return state.status === 'signed-in' ? getAccountKey(current, state.user.id) : null;
  };
  const feedback = createFeedback(account.client, owner, getAccountKey(current, 'visitor'));
  return { account, owner, server, address, feedback, store: getStorageFolder(current) };
}

/** Returns the last known server info, or null if the server hasn't responded yet. */
export function getServerInfo(state: ServerState): ServerInfo | null {
  return state.status === 'unknown' ? null : state.info;
}
