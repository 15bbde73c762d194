/**
 * Returns the local storage key for the time of an account's last complete sync. The key does not start with an
 * underscore, so clearing the cache does not remove it.
 */
const key = (uid: string) => `last_sync_${uid}`;

/** The times that this page has set, by account. They are available even if local storage is full. */
const inMemory = new Map<string, number>();

export const lastSync = {
  /** Returns the time in milliseconds since 1970; null before the first sync. */
  get(uid: string | null): number | null {
    if (uid === null) return null;
    const stored = inMemory.get(uid) ?? localStorage.getItem(key(uid));
    return stored === null ? null : Number(stored);
  },
  /** @param onError called if local storage is full. The time is then kept in memory only. */
  set(uid: string, at: number, onError: (error: unknown) => void): void {
    inMemory.set(uid, at);
    try {
      localStorage.setItem(key(uid), String(at));
    } catch (error) {
      onError(error);
    }
  },
  forget(uid: string): void {
    inMemory.delete(uid);
    localStorage.removeItem(key(uid));
  },
};
