/**
 * Stores the log in IndexedDB, separately from the database of recordings, so that a failure to open that database can
 * be logged.
 */
import { lazy } from '@linnet/base';
import type { LogBook, LogLine } from '../../features/log.ts';

/** How long a line is kept, in milliseconds (specification, section 9). */
const RETENTION_MS = 10 * 24 * 60 * 60 * 1000;
/** Maximum number of lines to keep. That many take up a few megabytes. */
const MAX_LINES = 20_000;

const NAME = 'linnet-log';
const LINES = 'lines';
const BY_TIME = 'at';

function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

function waitForCompletion(transaction: IDBTransaction): Promise<void> {
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

/** @param options.now returns the current time in milliseconds since 1970 */
export function openLogBook({
  name = NAME,
  maxLines = MAX_LINES,
  now = Date.now,
}: {
  name?: string;
  maxLines?: number;
  now?: () => number;
} = {}): LogBook {
  const database = lazy(() => open(name));

  return {
    async add(lines) {
      const transaction = (await database()).transaction(LINES, 'readwrite');
      const completion = waitForCompletion(transaction);
      const store = transaction.objectStore(LINES);
      const keys = await Promise.all(lines.map((line) => toPromise(store.add(line))));
      const newestKey = Number(keys.at(-1));
      if (newestKey > maxLines) store.delete(IDBKeyRange.upperBound(newestKey - maxLines));
      const expired = IDBKeyRange.upperBound(now() - RETENTION_MS, true);
      const expiredKeys = await toPromise(store.index(BY_TIME).getAllKeys(expired));
      for (const key of expiredKeys) store.delete(key);
      await completion;
    },
    async read() {
      const store = (await database()).transaction(LINES).objectStore(LINES);
      const recent = IDBKeyRange.lowerBound(now() - RETENTION_MS);
      return (await toPromise(store.index(BY_TIME).getAll(recent))) as LogLine[];
    },
  };
}
