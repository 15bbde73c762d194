import type { LogBook, LogLine } from '../../features/log.ts';

/** Retention of a log line (specification, section 9). */
const KEPT_MS = 10 * 24 * 60 * 60 * 1000;
/** Maximum number of lines: a few megabytes. */
const MOST_LINES = 20_000;

const NAME = 'linnet-log';
const LINES = 'lines';
const BY_TIME = 'at';

/** The result of a request, as a promise. */
function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/** Resolves when a transaction is durable. */
function settled(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
}

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(LINES, { autoIncrement: true }).createIndex(BY_TIME, 'at');
  });
  return answer(request);
}

/**
 * Stores the log in IndexedDB, separate from the recordings' database, so that it also covers failures to
 * open that one. Lines are removed after ten days, or when there are too many.
 * @param options.now milliseconds since 1970
 */
export function openLogBook({
  name = NAME,
  mostLines = MOST_LINES,
  now = Date.now,
}: {
  name?: string;
  mostLines?: number;
  now?: () => number;
} = {}): LogBook {
  let opened: Promise<IDBDatabase> | null = null;
  const database = () => {
    opened ??= open(name);
    // After a failure, opening is retried with the next lines.
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };

  return {
    async add(lines) {
      const transaction = (await database()).transaction(LINES, 'readwrite');
      const done = settled(transaction);
      const store = transaction.objectStore(LINES);
      const keys = await Promise.all(lines.map((line) => answer(store.add(line))));
      const newest = Number(keys.at(-1));
      if (newest > mostLines) store.delete(IDBKeyRange.upperBound(newest - mostLines));
      const old = IDBKeyRange.upperBound(now() - KEPT_MS, true);
      for (const key of await answer(store.index(BY_TIME).getAllKeys(old))) store.delete(key);
      await done;
    },
    async read() {
      const store = (await database()).transaction(LINES).objectStore(LINES);
      const recent = IDBKeyRange.lowerBound(now() - KEPT_MS);
      return (await answer(store.index(BY_TIME).getAll(recent))) as LogLine[];
    },
  };
}
