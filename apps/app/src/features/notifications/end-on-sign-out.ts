import type { AccountState } from '../../ports/account.ts';
import type { Store } from '../../ports/store.ts';

/**
 * Ends this browser's notifications while no account is signed in: now, and when the account leaves or its session expires.
 * The next user must not see those of the former one, even if the server hasn't learned of the sign-out yet.
 * @param end has to end them before it handles any later change of the subscription
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
