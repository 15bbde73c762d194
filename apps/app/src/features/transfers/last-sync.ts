/**
 * Local storage: when everything was last exchanged with the server, by account, so that it is known offline too.
 * No name of the cache's: that is emptied when another server is asked, which makes this no less true.
 */
const key = (uid: string) => `last_sync_${uid}`;

const known = new Map<string, number>();

export const lastSync = {
  /** Milliseconds since 1970; null before the first time. */
  get(uid: string | null): number | null {
    if (uid === null) return null;
    const kept = known.get(uid) ?? localStorage.getItem(key(uid));
    return kept === null ? null : Number(kept);
  },
  /** @param onError told where there is no room to keep it, and it is known until the app is closed */
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
