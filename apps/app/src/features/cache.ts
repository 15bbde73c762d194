/**
 * A cache of server responses. Entries whose name starts with an underscore are stored in local storage under
 * that name (specification, section 3). Data that the server cannot provide again must not be cached.
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
const inMemory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (name) => memory.get(name) ?? null,
  setItem: (name, text) => void memory.set(name, text),
  removeItem: (name) => void memory.delete(name),
};

export type CacheEntry<T> = {
  /** The stored data, and whether it is within its timeout; null if there is none. */
  read(): { readonly data: T; readonly fresh: boolean } | null;
  write(data: T): void;
  drop(): void;
};

/**
 * An entry of the cache.
 * @param name starts with an underscore if the entry persists
 * @param timeout seconds
 */
export function cacheEntry<T>(name: string, timeout = TIMEOUT_S): CacheEntry<T> {
  const storage = name.startsWith('_') ? localStorage : inMemory;
  return {
    read() {
      const text = storage.getItem(name);
      if (text === null) return null;
      const entry = JSON.parse(text) as Entry<T>;
      const age = Date.now() - entry.created;
      // An entry from the future was stored before the clock was corrected.
      return { data: entry.data, fresh: age >= 0 && age < entry.timeout * 1000 };
    },
    write(data) {
      const entry: Entry<T> = { data, timeout, created: Date.now() };
      storage.setItem(name, JSON.stringify(entry));
    },
    drop: () => storage.removeItem(name),
  };
}

/** Clears the cache when the server changes. */
cacheEntry.clearAll = (): void => {
  memory.clear();
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('_')) localStorage.removeItem(name);
  }
};
