/**
 * Runs SQLite like `sql.worker.ts`, except that two steps fail on the first attempt: loading SQLite, and opening the
 * pool's second file.
 */
import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';
import { replaceOpening } from './unreliable-files.ts';

const { instantiate } = WebAssembly;
const failToCompile = () => Promise.reject(new WebAssembly.CompileError('The code is incomplete.'));
Object.assign(WebAssembly, {
  instantiateStreaming: failToCompile,
  instantiate() {
    WebAssembly.instantiate = instantiate;
    return failToCompile();
  },
});
replaceOpening(2, () =>
  Promise.reject(new DOMException('The file system failed.', 'UnknownError')),
);
serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);
