/**
 * Accounts whose closure was requested from the server and is not yet confirmed. RecordingInfo before the call, so
 * that it can be completed even if the answer is lost.
 */

/** Local storage key. Outside the cache's names, so that clearing the cache does not remove it. */
const KEY = 'closing_accounts';

/** An account id on the server of that address. */
type Note = { readonly address: string; readonly id: string };

function all(): readonly Note[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly Note[];
}

function without(address: string, id: string): readonly Note[] {
  return all().filter((note) => note.address !== address || note.id !== id);
}

export const pendingClosures = {
  /** Ids of accounts on a server that may be closed. */
  at: (address: string): readonly string[] =>
    all().flatMap((note) => (note.address === address ? [note.id] : [])),
  /** @throws the browser's error when storage is full */
  add(address: string, id: string): void {
    localStorage.setItem(KEY, JSON.stringify([...without(address, id), { address, id }]));
  },
  drop(address: string, id: string): void {
    const left = without(address, id);
    if (left.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(left));
  },
};
