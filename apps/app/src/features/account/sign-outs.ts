/**
 * Ends signed-out sessions on their servers. Signing out must also work offline, so a session stays stored until its
 * server confirms that it has ended.
 */
import { createClient } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { tokenStore } from './token-store.ts';

/** A session that the user signed out of on this phone. */
export type SignedOutSession = {
  /** The server's origin. */
  readonly address: string;
  readonly access: string | null;
  readonly refresh: string;
};

/** The Web Lock that allows only one tab at a time to end sessions. */
const LOCK = 'linnet-sign-outs';
/** Failure codes that leave open whether the session still exists. */
const inconclusiveCodes: readonly number[] = [
  codes.internal,
  codes.unavailable,
  codes.tooManyRequests,
];

export type SignOuts = {
  /** Stores a session that must be ended. */
  add(session: SignedOutSession): void;
  /** Ends the stored sessions. A session stays stored if its server doesn't respond. */
  settle(): Promise<void>;
};

export function createSignOuts(onError: (error: unknown) => void): SignOuts {
  /** Sessions that couldn't be stored because storage is full. They are lost when the page is closed. */
  let unsaved: SignedOutSession[] = [];

  function save(sessions: readonly SignedOutSession[]): void {
    try {
      tokenStore.saveSignedOut(sessions);
      unsaved = [];
    } catch (error) {
      onError(error);
      unsaved = [...sessions];
    }
  }
  const load = () => (unsaved.length > 0 ? unsaved : tokenStore.signedOut());

  return {
    add: (session) => save([...load(), session]),
    async settle() {
      if (load().length === 0) return;
      await navigator.locks.request(LOCK, async () => {
        for (const session of load()) {
          if (!(await endSession(session))) continue;
          save(load().filter(({ refresh }) => refresh !== session.refresh));
        }
      });
    },
  };
}

/**
 * Ends a session on its server.
 * @returns whether the session is known to have ended
 */
async function endSession({ address, access, refresh }: SignedOutSession): Promise<boolean> {
  let isRefreshRefused = false;
  const refreshClient = createClient({
    baseUrl: address,
    tokens: { access: () => null, refresh: () => refresh },
  });
  async function renew(): Promise<string | null> {
    const result = await refreshClient.call('user/refreshToken');
    if (result.ok) return result.data.access_token;
    isRefreshRefused =
      result.failure.kind === 'server' && result.failure.code === codes.tokenInvalid;
    return null;
  }
  const client = createClient({
    baseUrl: address,
    tokens: { access: () => access ?? renew(), refresh: () => refresh, renew },
  });
  const result = await client.call('user/logout');
  if (result.ok || isRefreshRefused) return true;
  const { failure } = result;
  if (failure.kind !== 'server' || failure.code === codes.tokenExpired) return false;
  return !inconclusiveCodes.includes(failure.code);
}
