/**
 * What was read from the server and need not be read again at once. An entry whose name begins with an
 * underscore is kept in local storage, under that name, and outlives the page (specification, section 3).
 * Whatever the server cannot tell again is no entry of the cache, and has another name.
 */

/** Seconds for which an entry is as good as read now (specification, sections 3 and 9). */
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
  /** What is kept, and whether it is younger than its timeout; null when nothing is. */
  read(): { readonly data: T; readonly fresh: boolean } | null;
  keep(data: T): void;
  drop(): void;
};

/**
 * One entry of the cache.
 * @param name with an underscore in front when it is to outlive the page
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
      // One from the future is of a clock that was put right since.
      return { data: entry.data, fresh: age >= 0 && age < entry.timeout * 1000 };
    },
    keep(data) {
      const entry: Entry<T> = { data, timeout, created: Date.now() };
      storage.setItem(name, JSON.stringify(entry));
    },
    drop: () => storage.removeItem(name),
  };
}

/** Empties the cache: another server is asked from now on. */
cacheEntry.clearAll = (): void => {
  memory.clear();
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('_')) localStorage.removeItem(name);
  }
};
