/** Runs SQLite like `sql.worker.ts`, but never opens the first file of a new pool. */
import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';
import { replaceOpening } from './unreliable-files.ts';

replaceOpening(1, () => {
  postMessage('interrupted');
  return new Promise(() => {});
});
serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);
