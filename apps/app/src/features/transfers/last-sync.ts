/**
 * Local storage key of the last complete sync, by account, so that it is known offline. Outside the cache's
 * names, which are cleared when the server changes.
 */
const key = (uid: string) => `last_sync_${uid}`;

const known = new Map<string, number>();

export const lastSync = {
  /** Milliseconds since 1970; null before the first sync. */
  get(uid: string | null): number | null {
    if (uid === null) return null;
    const stored = known.get(uid) ?? localStorage.getItem(key(uid));
    return stored === null ? null : Number(stored);
  },
  /** @param onError called if storage is full; the value is then stored in memory */
  set(uid: string, at: number, onError: (error: unknown) => void): void {
    known.set(uid, at);
    try {
      localStorage.setItem(key(uid), String(at));
    } catch (error) {
      onError(error);
    }
  },
  forget(uid: string): void {
    known.delete(uid);
    localStorage.removeItem(key(uid));
  },
};
