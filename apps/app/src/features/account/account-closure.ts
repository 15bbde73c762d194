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
  readonly unbindRecorder: () => Promise<void>;
  /** Deletes an account's data from this phone. */
  readonly forget: (id: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Closes accounts, and completes interrupted closures later. */
export type AccountClosure = {
  readonly close: ProfileService['close'];
  /** Checks unanswered closures with the server, and completes the confirmed ones. */
  settle(): Promise<void>;
};

/**
 * Deletes recordings from this phone only after the server has confirmed that their account is closed. A rejected
 * token is no confirmation, since sessions also end for other reasons.
 */
export function createAccountClosure(options: AccountClosureOptions): AccountClosure {
  const { account, address, unbindRecorder, forget, onError } = options;
  const { client, service } = account;
  let isClosing = false;
  let settling: Promise<void> | null = null;

  /** The account signed in at the last request; only that account is signed out. */
  let last: string | null = null;
  function signedIn(): string | null {
    const state = service.state.get();
    return state.status === 'signed-in' ? state.user.id : null;
  }

  /** Deletes the data of a closed account. A failed deletion is retried at the next start. */
  async function finish(id: string): Promise<void> {
    try {
      await forget(id);
      pendingClosures.drop(address, id);
    } catch (error) {
      onError(error);
    }
    // A token rejected in the meantime must show as a sign-out, not as an expired session.
    if (last === id && (signedIn() ?? id) === id) await service.signOut();
  }

  /** Checks whether an account is closed; null without an answer. */
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
    // After this call, the server answers other calls as signed out.
    const answer = await client.call('user/deactivation', { password });
    if (answer.ok) {
      await unbindRecorder();
    } else {
      const refused = isRefusal(answer.failure);
      if (refused && isFirst) pendingClosures.drop(address, id);
      // The closure may still be in progress on the server, so only a confirmation counts here.
      if (refused || (await isClosed(id)) !== true) return answer;
    }
    await finish(id);
    return { ok: true, data: null };
  }

  async function settleAll(): Promise<void> {
    for (const id of pendingClosures.at(address)) {
      const closed = await isClosed(id);
      // A closure that started during the check takes precedence.
      if (isClosing) return;
      if (closed) await finish(id);
      else if (closed === false) pendingClosures.drop(address, id);
    }
  }

  return {
    async close(password) {
      isClosing = true;
      try {
        await settling;
        return await end(password);
      } finally {
        isClosing = false;
      }
    },
    async settle() {
      if (isClosing) return;
      last = signedIn() ?? last;
      settling ??= settleAll().finally(() => {
        settling = null;
      });
      await settling;
    },
  };
}

/** Whether the server certainly did not close the account. An internal error or a rejected token leaves it open. */
function isRefusal(failure: CallFailure): boolean {
  const unsure: readonly number[] = [codes.tokenInvalid, codes.internal, codes.unavailable];
  return failure.kind === 'server' && !unsure.includes(failure.code);
}
