/**
 * Returns the local storage key for the time of an account's last complete sync. It has no leading underscore, so
 * clearing the cache doesn't remove it.
 */
const key = (uid: string) => `last_sync_${uid}`;

/** Times set by this page, keyed by account. They are available even if local storage is full. */
const inMemory = new Map<string, number>();

export const lastSync = {
  /** Returns the time in milliseconds since 1970, or null before the first sync. */
  get(uid: string | null): number | null {
    if (uid === null) return null;
    const storedTime = inMemory.get(uid) ?? localStorage.getItem(key(uid));
    return storedTime === null ? null : Number(storedTime);
  },
  /** @param onError called if local storage is full; the time is then kept in memory only */
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
