/**
 * Accounts of which this phone asked the server to close them, until it is known what came of that. Written
 * before the call: an answer that is lost leaves the note, and with it the way to end what was begun.
 */

/** Local storage. No name of the cache's: what was asked for is not forgotten with what was read. */
const KEY = 'closing_accounts';

/** An account's id at the server of that address. */
type Note = { readonly address: string; readonly id: string };

function all(): readonly Note[] {
  return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly Note[];
}

function without(address: string, id: string): readonly Note[] {
  return all().filter((note) => note.address !== address || note.id !== id);
}

export const closingNotes = {
  /** Ids of the accounts at a server that may be closed. */
  at: (address: string): readonly string[] =>
    all().flatMap((note) => (note.address === address ? [note.id] : [])),
  /** @throws what the browser says when it takes no more */
  add(address: string, id: string): void {
    localStorage.setItem(KEY, JSON.stringify([...without(address, id), { address, id }]));
  },
  drop(address: string, id: string): void {
    const left = without(address, id);
    if (left.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(left));
  },
};
