/**
 * Closes accounts. Recordings are deleted from this phone only after the server has confirmed that their account is
 * closed. A rejected token is not a confirmation, because sessions also end for other reasons.
 */
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
  /** The server's origin. */
  readonly address: string;
  /** Unbinds a connected recorder. */
  readonly unbindRecorder: () => Promise<void>;
  /** Deletes an account's data from this phone. */
  readonly forget: (id: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

export type AccountClosure = {
  readonly close: ProfileService['close'];
  /** Asks the server about closures whose response was lost, and completes the confirmed ones. */
  settle(): Promise<void>;
};

export function createAccountClosure(options: AccountClosureOptions): AccountClosure {
  const { account, address, unbindRecorder, forget, onError } = options;
  const { client, service } = account;
  let isClosing = false;
  let settling: Promise<void> | null = null;

  /**
   * The account that was signed in when a closure was last requested or settled. Only this account may be signed out.
   */
  let requestingId: string | null = null;

  function signedInId(): string | null {
    const state = service.state.get();
    return state.status === 'signed-in' ? state.user.id : null;
  }

  /** Deletes a closed account's data. If that fails, it is retried on the next start. */
  async function finish(id: string): Promise<void> {
    try {
      await forget(id);
      pendingClosures.drop(address, id);
    } catch (error) {
      onError(error);
    }
    // Sign out even if the server has already rejected the token; otherwise the session would show as expired.
    if (requestingId === id && (signedInId() ?? id) === id) await service.signOut();
  }

  /**
   * Asks the server whether an account is closed.
   * @returns null if the server doesn't respond
   */
  async function isClosed(id: string): Promise<boolean | null> {
    const result = await client.call('user/closed', { id });
    return result.ok ? result.data.closed : null;
  }

  async function closeSignedIn(password: string): ReturnType<ProfileService['close']> {
    const id = signedInId();
    if (id === null) return { ok: false, failure: { kind: 'aborted' } };
    requestingId = id;
    const isFirstAttempt = !pendingClosures.at(address).includes(id);
    try {
      pendingClosures.add(address, id);
    } catch (error) {
      onError(error);
      return { ok: false, failure: { kind: 'not_saved' } };
    }
    // Once the account is closed, the server rejects all its other calls.
    const result = await client.call('user/deactivation', { password });
    if (result.ok) {
      await unbindRecorder();
    } else {
      const isRefused = isRefusal(result.failure);
      // A refusal says nothing about an earlier attempt, whose outcome is still unknown.
      if (isRefused && isFirstAttempt) pendingClosures.drop(address, id);
      // The server may still be processing the request, so anything short of a confirmation counts as a failure.
      if (isRefused || (await isClosed(id)) !== true) return result;
    }
    await finish(id);
    return { ok: true, data: null };
  }

  async function settleAll(): Promise<void> {
    for (const id of pendingClosures.at(address)) {
      const result = await isClosed(id);
      // `close` was called during the check and takes precedence.
      if (isClosing) return;
      if (result) await finish(id);
      else if (result === false) pendingClosures.drop(address, id);
    }
  }

  return {
    async close(password) {
      isClosing = true;
      try {
        await settling;
        return await closeSignedIn(password);
      } finally {
        isClosing = false;
      }
    },
    async settle() {
      if (isClosing) return;
      requestingId = signedInId() ?? requestingId;
      settling ??= settleAll().finally(() => {
        settling = null;
      });
      await settling;
    },
  };
}

/** Returns whether a failure proves that the server did not close the account. */
function isRefusal(failure: CallFailure): boolean {
  const inconclusive: readonly number[] = [codes.tokenInvalid, codes.internal, codes.unavailable];
  return failure.kind === 'server' && !inconclusive.includes(failure.code);
}
