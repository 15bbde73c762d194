import { createClient } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { tokenStore } from './token-store.ts';

/** A session that was signed out on this phone. */
export type SignedOut = {
  /** The server's origin. */
  readonly address: string;
  readonly access: string | null;
  readonly refresh: string;
};

/** One pass at a time over all tabs. */
const LOCK = 'linnet-sign-outs';
/** Answers after which the session may still be there. */
const unsure: readonly number[] = [codes.internal, codes.unavailable, codes.tooManyRequests];

/** Ends sessions at their servers after signing out; without a network, later. */
export type SignOuts = {
  /** Notes a session to be ended. */
  add(session: SignedOut): void;
  /** Ends what was noted; what a server did not answer stays noted. */
  settle(): Promise<void>;
};

export function createSignOuts(onError: (error: unknown) => void): SignOuts {
  /** Those that found no space on this phone: they are tried as long as this page runs. */
  let unsaved: SignedOut[] = [];

  function save(sessions: readonly SignedOut[]): void {
    try {
      tokenStore.saveSignedOut(sessions);
      unsaved = [];
    } catch (error) {
      onError(error);
      unsaved = [...sessions];
    }
  }
  const noted = () => (unsaved.length > 0 ? unsaved : tokenStore.signedOut());

  return {
    add: (session) => save([...noted(), session]),
    async settle() {
      if (noted().length === 0) return;
      await navigator.locks.request(LOCK, async () => {
        for (const session of noted()) {
          if (!(await end(session))) continue;
          save(noted().filter(({ refresh }) => refresh !== session.refresh));
        }
      });
    },
  };
}

/** Whether the session is over for certain. */
async function end({ address, access, refresh }: SignedOut): Promise<boolean> {
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
