/**
 * Account closures not yet confirmed by the server. Each is recorded before the call, so that it can be completed
 * if the answer is lost.
 */

/** Local storage key. It has no underscore, so clearing the cache does not remove it. */
const KEY = 'closing_accounts';

/** An account id on the server of that address. */
type PendingClosure = { readonly address: string; readonly id: string };

function all(): readonly PendingClosure[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly PendingClosure[];
}

function without(address: string, id: string): readonly PendingClosure[] {
  return all().filter((closure) => closure.address !== address || closure.id !== id);
}

export const pendingClosures = {
  /** Ids of accounts on a server that may be closed. */
  at: (address: string): readonly string[] =>
    all().flatMap((closure) => (closure.address === address ? [closure.id] : [])),
  /** @throws the browser's error when storage is full */
  add(address: string, id: string): void {
    localStorage.setItem(KEY, JSON.stringify([...without(address, id), { address, id }]));
  },
  drop(address: string, id: string): void {
    const remaining = without(address, id);
    if (remaining.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(remaining));
  },
};
