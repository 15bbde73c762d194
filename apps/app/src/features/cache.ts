/**
 * Caches server responses. Entries whose name starts with an underscore are persisted in local storage under that name
 * (specification, section 3). The cache may be cleared at any time, so cache only data that can be fetched again.
 */

/** Default lifetime of an entry in seconds (specification, sections 3 and 9). */
const TIMEOUT_S = 1200;

type Entry<T> = {
  readonly data: T;
  /** Seconds. */
  readonly timeout: number;
  /** Milliseconds since 1970. */
  readonly created: number;
};

const memory = new Map<string, string>();
const memoryStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (name) => memory.get(name) ?? null,
  setItem: (name, text) => void memory.set(name, text),
  removeItem: (name) => void memory.delete(name),
};

export type CacheEntry<T> = {
  /** Returns the stored data and whether it is still fresh, or null if nothing is stored. */
  read(): { readonly data: T; readonly isFresh: boolean } | null;
  write(data: T): void;
  drop(): void;
};

/**
 * Returns an accessor for a cache entry.
 * @param name starts with an underscore if the entry should be persisted
 * @param timeout in seconds
 */
export function cacheEntry<T>(name: string, timeout = TIMEOUT_S): CacheEntry<T> {
  const storage = name.startsWith('_') ? localStorage : memoryStorage;
  return {
    read() {
      const text = storage.getItem(name);
      if (text === null) return null;
      const entry = JSON.parse(text) as Entry<T>;
      const age = Date.now() - entry.created;
      // The age is negative if the clock was set back after the entry was stored. The entry then counts as stale.
      return { data: entry.data, isFresh: age >= 0 && age < entry.timeout * 1000 };
    },
    write(data) {
      const entry: Entry<T> = { data, timeout, created: Date.now() };
      storage.setItem(name, JSON.stringify(entry));
    },
    drop: () => storage.removeItem(name),
  };
}

/** Clears the cache. Call it when the user switches servers. */
cacheEntry.clearAll = (): void => {
  memory.clear();
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('_')) localStorage.removeItem(name);
  }
};
