import type { AccountState } from '../../ports/account.ts';
import type { Store } from '../../ports/store.ts';

/**
 * Ends this browser's notifications while no account is signed in: at the start, on sign-out, and when the session
 * expires. The next user must not see the previous user's notifications, even if the server hasn't received the
 * sign-out yet.
 * @param end must end them before it handles any later change of the subscription
 */
export function endOnSignOut(
  state: Store<AccountState>,
  end: () => Promise<void>,
  onError: (error: unknown) => void,
): void {
  const check = () => {
    if (state.get().status === 'signed-out') end().catch(onError);
  };
  state.subscribe(check);
  check();
}
