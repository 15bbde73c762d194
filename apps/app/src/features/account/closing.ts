import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { ProfileService } from '../../ports/profile.ts';
import type { Account } from './account.ts';
import { closingNotes } from './closing-notes.ts';

export type ClosingOptions = {
  readonly account: {
    readonly client: Pick<Account['client'], 'call'>;
    readonly service: Pick<Account['service'], 'state' | 'signOut'>;
  };
  /** The server's. */
  readonly address: string;
  /** Tells a recorder that is connected that it is nobody's any more. */
  readonly freeRecorder: () => Promise<void>;
  /** Takes what an account has off this phone. */
  readonly forget: (id: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Closes the account; what was lost half-way is ended later. */
export type Closing = {
  readonly close: ProfileService['close'];
  /** Asks the server what became of closings without an answer, and ends those that came to be. */
  settle(): Promise<void>;
};

/**
 * Takes a recording off this phone only after the server said that its account is closed. A refused token does
 * not say that: sessions end for other reasons, too.
 */
export function createClosing(options: ClosingOptions): Closing {
  const { account, address, freeRecorder, forget, onError } = options;
  const { client, service } = account;
  let closing = false;
  let settling: Promise<void> | null = null;

  /** Who was signed in when something was asked last: they are signed out, and nobody else. */
  let last: string | null = null;
  function signedIn(): string | null {
    const state = service.state.get();
    return state.status === 'signed-in' ? state.user.id : null;
  }

  /** What could not be deleted is tried again at the next start: there is no such account any more. */
  async function finish(id: string): Promise<void> {
    try {
      await forget(id);
      closingNotes.drop(address, id);
    } catch (error) {
      onError(error);
    }
    // One whose token was refused meanwhile is told that they left, not that everything is still here.
    if (last === id && (signedIn() ?? id) === id) await service.signOut();
  }

  /** Null where the server does not say. */
  async function isClosed(id: string): Promise<boolean | null> {
    const answer = await client.call('user/closed', { id });
    return answer.ok ? answer.data.closed : null;
  }

  async function end(password: string): ReturnType<ProfileService['close']> {
    const id = signedIn();
    if (id === null) return { ok: false, failure: { kind: 'aborted' } };
    last = id;
    const isFirst = !closingNotes.at(address).includes(id);
    try {
      closingNotes.add(address, id);
    } catch (error) {
      onError(error);
      return { ok: false, failure: { kind: 'not_kept' } };
    }
    // From its end on, whatever else asks the server is told that nobody is signed in any more.
    const answer = await client.call('user/deactivation', { password });
    if (answer.ok) {
      await freeRecorder();
    } else {
      const refused = isRefusal(answer.failure);
      if (refused && isFirst) closingNotes.drop(address, id);
      // The call may still be under way: that the account is there is believed at a later contact.
      if (refused || (await isClosed(id)) !== true) return answer;
    }
    await finish(id);
    return { ok: true, data: null };
  }

  async function settleAll(): Promise<void> {
    for (const id of closingNotes.at(address)) {
      const closed = await isClosed(id);
      // Another try began meanwhile, and has the last word.
      if (closing) return;
      if (closed) await finish(id);
      else if (closed === false) closingNotes.drop(address, id);
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

/** Whether the server answered that it did nothing. One that failed, or knows no such session, may have. */
function isRefusal(failure: CallFailure): boolean {
  const unsure: readonly number[] = [codes.tokenInvalid, codes.internal, codes.unavailable];
  return failure.kind === 'server' && !unsure.includes(failure.code);
}
