import type { Drafts } from '../ports/drafts.ts';

/** The prefix of an account's keys in local storage. Without a leading underscore, clearing the cache keeps them. */
const prefixOf = (owner: string) => `draft/${owner}/`;

/** @param owner returns the key of the signed-in account; null while signed out, when nothing is stored */
export function createDrafts(
  owner: () => string | null,
  onError: (error: unknown) => void,
): Drafts {
  const keyOf = (field: string, subject: string) => {
    const account = owner();
    return account === null ? null : `${prefixOf(account)}${field}/${subject}`;
  };
  return {
    read(field, subject = '') {
      const key = keyOf(field, subject);
      const stored = key === null ? null : localStorage.getItem(key);
      return stored === null ? null : JSON.parse(stored);
    },
    write(field, draft, subject = '') {
      const key = keyOf(field, subject);
      if (key === null) return;
      try {
        if (draft === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(draft));
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** Deletes all drafts of an account from this device. */
export function deleteDrafts(owner: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefixOf(owner))) localStorage.removeItem(key);
  }
}
