import type { LogBook, LogLine } from '../../features/log.ts';

/** Retention of a log line (specification, section 9). */
const RETENTION_MS = 10 * 24 * 60 * 60 * 1000;
/** Maximum number of lines: a few megabytes. */
const MAX_LINES = 20_000;

const NAME = 'linnet-log';
const LINES = 'lines';
const BY_TIME = 'at';

/** Converts a request to a promise. */
function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/** Resolves when a transaction is complete. */
function completed(transaction: IDBTransaction): Promise<void> {
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
  return toPromise(request);
}

/**
 * Stores the log in IndexedDB. It is separate from the recordings' database, so that it can record failures to open
 * that one. Lines are removed after ten days or beyond the maximum.
 * @param options.now milliseconds since 1970
 */
export function openLogBook({
  name = NAME,
  maxLines = MAX_LINES,
  now = Date.now,
}: {
  name?: string;
  maxLines?: number;
  now?: () => number;
} = {}): LogBook {
  let opened: Promise<IDBDatabase> | null = null;
  const database = () => {
    opened ??= open(name);
    // Callers handle the failure; here the promise is dropped, so that the next call opens the database again.
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };

  return {
    async add(lines) {
      const transaction = (await database()).transaction(LINES, 'readwrite');
      const done = completed(transaction);
      const store = transaction.objectStore(LINES);
      const keys = await Promise.all(lines.map((line) => toPromise(store.add(line))));
      const newest = Number(keys.at(-1));
      if (newest > maxLines) store.delete(IDBKeyRange.upperBound(newest - maxLines));
      const old = IDBKeyRange.upperBound(now() - RETENTION_MS, true);
      for (const key of await toPromise(store.index(BY_TIME).getAllKeys(old))) store.delete(key);
      await done;
    },
    async read() {
      const store = (await database()).transaction(LINES).objectStore(LINES);
      const recent = IDBKeyRange.lowerBound(now() - RETENTION_MS);
      return (await toPromise(store.index(BY_TIME).getAll(recent))) as LogLine[];
    },
  };
}
