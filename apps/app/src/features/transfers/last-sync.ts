/**
 * Local storage key of an account's last complete sync. It has no underscore, so clearing the cache does not
 * remove it.
 */
const key = (uid: string) => `last_sync_${uid}`;

const inMemory = new Map<string, number>();

export const lastSync = {
  /** Milliseconds since 1970; null before the first sync. */
  get(uid: string | null): number | null {
    if (uid === null) return null;
    const stored = inMemory.get(uid) ?? localStorage.getItem(key(uid));
    return stored === null ? null : Number(stored);
  },
  /** @param onError called if storage is full; the value is then stored in memory */
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
