import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { ProfileService } from '../../ports/profile.ts';
import type { Account } from './account.ts';
import { pendingClosures } from './pending-closures.ts';

export type AccountClosureOptions = {
  readonly account: {
    readonly client: Pick<Account['client'], 'call'>;
    readonly service: Pick<Account['service'], 'state' | 'signOut'>;
  };
  /** The server's address. */
  readonly address: string;
  /** Unbinds a connected recorder. */
  readonly freeRecorder: () => Promise<void>;
  /** Deletes an account's data from this phone. */
  readonly forget: (id: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Closes the account; interrupted closures are completed later. */
export type AccountClosure = {
  readonly close: ProfileService['close'];
  /** Asks the server about closures without an answer, and completes the confirmed ones. */
  settle(): Promise<void>;
};

/**
 * Deletes a recording from this phone only after the server confirmed that its account is closed. A refused
 * token is no confirmation, since sessions end for other reasons too.
 */
export function createAccountClosure(options: AccountClosureOptions): AccountClosure {
  const { account, address, freeRecorder, forget, onError } = options;
  const { client, service } = account;
  let closing = false;
  let settling: Promise<void> | null = null;

  /** The account signed in at the last request; only that account is signed out. */
  let last: string | null = null;
  function signedIn(): string | null {
    const state = service.state.get();
    return state.status === 'signed-in' ? state.user.id : null;
  }

  /** A failed deletion is retried at the next start; the account no longer exists. */
  async function finish(id: string): Promise<void> {
    try {
      await forget(id);
      pendingClosures.drop(address, id);
    } catch (error) {
      onError(error);
    }
    // If the token was refused meanwhile, the reason becomes a sign-out rather than an expired session.
    if (last === id && (signedIn() ?? id) === id) await service.signOut();
  }

  /** Null if the server does not say. */
  async function isClosed(id: string): Promise<boolean | null> {
    const answer = await client.call('user/closed', { id });
    return answer.ok ? answer.data.closed : null;
  }

  async function end(password: string): ReturnType<ProfileService['close']> {
    const id = signedIn();
    if (id === null) return { ok: false, failure: { kind: 'aborted' } };
    last = id;
    const isFirst = !pendingClosures.at(address).includes(id);
    try {
      pendingClosures.add(address, id);
    } catch (error) {
      onError(error);
      return { ok: false, failure: { kind: 'not_kept' } };
    }
    // From here on, other calls are answered as for a signed-out user.
    const answer = await client.call('user/deactivation', { password });
    if (answer.ok) {
      await freeRecorder();
    } else {
      const refused = isRefusal(answer.failure);
      if (refused && isFirst) pendingClosures.drop(address, id);
      // The call may still be in progress, so an answer that the account exists is trusted only at a later
      // contact.
      if (refused || (await isClosed(id)) !== true) return answer;
    }
    await finish(id);
    return { ok: true, data: null };
  }

  async function settleAll(): Promise<void> {
    for (const id of pendingClosures.at(address)) {
      const closed = await isClosed(id);
      // Another attempt started meanwhile and takes precedence.
      if (closing) return;
      if (closed) await finish(id);
      else if (closed === false) pendingClosures.drop(address, id);
    }
  }

  return {
    async close(password) {
      closing = true;
      try {
        await settling;
        return await end(password);
      } finally {
        closing = false;
      }
    },
    async settle() {
      if (closing) return;
      last = signedIn() ?? last;
      settling ??= settleAll().finally(() => {
        settling = null;
      });
      await settling;
    },
  };
}

/**
 * Whether the server certainly did nothing. After an internal error or for an unknown session, it may have.
 */
function isRefusal(failure: CallFailure): boolean {
  const unsure: readonly number[] = [codes.tokenInvalid, codes.internal, codes.unavailable];
  return failure.kind === 'server' && !unsure.includes(failure.code);
}
