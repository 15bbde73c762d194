/**
 * Stores account closures that the server hasn't confirmed yet. A closure is stored before it is requested, so that it
 * can be completed even if the response is lost.
 */

/** Local storage key. It has no leading underscore, so clearing the cache doesn't remove it. */
const KEY = 'closing_accounts';

/** `id` identifies an account on the server at `address`. */
type PendingClosure = { readonly address: string; readonly id: string };

function load(): readonly PendingClosure[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly PendingClosure[];
}

function omitClosure(address: string, id: string): readonly PendingClosure[] {
  return load().filter((closure) => closure.address !== address || closure.id !== id);
}

export const pendingClosures = {
  /** Returns the IDs of the accounts on this server whose closure is pending. */
  at: (address: string): readonly string[] =>
    load().flatMap((closure) => (closure.address === address ? [closure.id] : [])),
  /** @throws the browser's error when storage is full */
  add(address: string, id: string): void {
    localStorage.setItem(KEY, JSON.stringify([...omitClosure(address, id), { address, id }]));
  },
  drop(address: string, id: string): void {
    const remaining = omitClosure(address, id);
    if (remaining.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(remaining));
  },
};
