/** Runs SQLite like `sql.worker.ts`, but the browser fails to open the second file of the pool the first time. */
import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';
import { replaceOpening } from './unreliable-files.ts';

replaceOpening(2, () =>
  Promise.reject(new DOMException('The file system failed.', 'UnknownError')),
);
serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);
