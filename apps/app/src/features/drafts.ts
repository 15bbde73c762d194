import type { Drafts } from '../ports/drafts.ts';

/**
 * Prefix of an account's keys in local storage. It has no leading underscore, so clearing the cache doesn't remove
 * them.
 */
const keyPrefix = (owner: string) => `draft/${owner}/`;

/** @param owner returns the signed-in account's key, or null while signed out; drafts are then not stored */
export function createDrafts(
  owner: () => string | null,
  onError: (error: unknown) => void,
): Drafts {
  const toKey = (field: string, subject: string) => {
    const account = owner();
    return account === null ? null : `${keyPrefix(account)}${field}/${subject}`;
  };
  return {
    read(field, subject = '') {
      const key = toKey(field, subject);
      const storedDraft = key === null ? null : localStorage.getItem(key);
      return storedDraft === null ? null : JSON.parse(storedDraft);
    },
    write(field, draft, subject = '') {
      const key = toKey(field, subject);
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

/** Deletes all of an account's drafts from this device. */
export function deleteDrafts(owner: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(keyPrefix(owner))) localStorage.removeItem(key);
  }
}
