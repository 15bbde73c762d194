import { createClient } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { tokenStore } from './token-store.ts';

/** A session that was signed out on this phone. */
export type SignedOutSession = {
  /** The server's origin. */
  readonly address: string;
  readonly access: string | null;
  readonly refresh: string;
};

/** Web lock that serializes passes across tabs. */
const LOCK = 'linnet-sign-outs';
/** Codes after which the session may still exist. */
const unsure: readonly number[] = [codes.internal, codes.unavailable, codes.tooManyRequests];

/** Ends signed-out sessions on their servers, later if there is no network. */
export type SignOuts = {
  /** Records a session to be ended. */
  add(session: SignedOutSession): void;
  /** Ends the recorded sessions; unanswered ones stay recorded. */
  settle(): Promise<void>;
};

export function createSignOuts(onError: (error: unknown) => void): SignOuts {
  /** Sessions that could not be saved; they are retried while this page runs. */
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
  const recorded = () => (unsaved.length > 0 ? unsaved : tokenStore.signedOut());

  return {
    add: (session) => save([...recorded(), session]),
    async settle() {
      if (recorded().length === 0) return;
      await navigator.locks.request(LOCK, async () => {
        for (const session of recorded()) {
          if (!(await end(session))) continue;
          save(recorded().filter(({ refresh }) => refresh !== session.refresh));
        }
      });
    },
  };
}

/** Whether the session has certainly ended. */
async function end({ address, access, refresh }: SignedOutSession): Promise<boolean> {
  let isRefused = false;
  const bare = createClient({
    baseUrl: address,
    tokens: { access: () => null, refresh: () => refresh },
  });
  async function renew(): Promise<string | null> {
    const answer = await bare.call('user/refreshToken');
    if (answer.ok) return answer.data.access_token;
    isRefused = answer.failure.kind === 'server' && answer.failure.code === codes.tokenInvalid;
    return null;
  }
  const client = createClient({
    baseUrl: address,
    tokens: { access: () => access ?? renew(), refresh: () => refresh, renew },
  });
  const answer = await client.call('user/logout');
  if (answer.ok || isRefused) return true;
  const { failure } = answer;
  if (failure.kind !== 'server' || failure.code === codes.tokenExpired) return false;
  return !unsure.includes(failure.code);
}
