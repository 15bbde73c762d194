import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';

serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);
