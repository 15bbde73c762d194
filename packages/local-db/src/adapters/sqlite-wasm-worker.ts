import sqlite3InitModule, { type Database, type SAHPoolUtil } from '@sqlite.org/sqlite-wasm';
import { SqlError, type SqlRow, type Statement } from '../database.ts';
import { errorFromSqlite } from './sqlite-errors.ts';
import type { Reply, Request } from './sqlite-wasm-messages.ts';

/** The initial number of files in the pool: the database, its log, and spare ones for temporary files. */
const INITIAL_FILES = 6;

/**
 * `wal` requires exclusive locking, because OPFS has no shared memory; the order matters. Synchronization is full,
 * because copies on a recorder are deleted once this database has recorded their verification.
 */
const settings = [
  'pragma locking_mode = exclusive',
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
];

/** The part of a worker's global scope used here. */
type WorkerScope = {
  /** Folder of the origin-private file system that contains the databases' folder. */
  readonly name: string;
  readonly navigator: { readonly locks: LockManager };
  postMessage(message: Reply): void;
  addEventListener(type: 'message', listener: (event: { data: Request }) => void): void;
  readonly FileSystemSyncAccessHandle: {
    readonly prototype: { write(bytes: Uint8Array, options?: { at: number }): number };
  };
};

/**
 * Detects writes that fail for lack of disk space. SQLite's pool reports the same error for every failed write; only
 * the browser's error, which the pool catches, names the cause.
 */
function watchDiskSpace({ FileSystemSyncAccessHandle: { prototype } }: WorkerScope): {
  isMissing: boolean;
} {
  const diskSpace = { isMissing: false };
  const { write } = prototype;
  prototype.write = function (bytes, options) {
    try {
      const written = write.call(this, bytes, options);
      if (written < bytes.length) diskSpace.isMissing = true;
      return written;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError')
        diskSpace.isMissing = true;
      throw error;
    }
  };
  return diskSpace;
}

/**
 * Maximum wait for the worker of an earlier page to end, in milliseconds. It completes its current statement after the
 * page has closed.
 */
const ENDING_MS = 10_000;

/**
 * Resolves once no other worker has the files open, or after a timeout. The worker itself holds the lock, because it
 * outlives its page.
 */
function waitForExclusiveAccess({ navigator: { locks } }: WorkerScope): Promise<void> {
  return new Promise((resolve) => {
    locks
      .request('linnet-database', { signal: AbortSignal.timeout(ENDING_MS) }, () => {
        resolve();
        return new Promise(() => {});
      })
      // After a timeout, opening the files fails with `locked`.
      .catch(() => resolve());
  });
}

/** Runs SQLite on OPFS in a worker, and handles the requests of `openSqliteWasm`. */
export function serveSqlite(scope: WorkerScope): void {
  const diskSpace = watchDiskSpace(scope);
  const library = sqlite3InitModule();
  let pool: Promise<SAHPoolUtil> | null = null;
  let database: Database | null = null;

  function openPool(): Promise<SAHPoolUtil> {
    pool ??= library.then((sqlite3) =>
      sqlite3.installOpfsSAHPoolVfs({
        name: 'linnet',
        directory: `/${scope.name}/database`,
        initialCapacity: INITIAL_FILES,
      }),
    );
    return pool;
  }

  async function open(file: string): Promise<void> {
    try {
      const { OpfsSAHPoolDb } = await openPool();
      database?.close();
      database = new OpfsSAHPoolDb(file);
      for (const sql of settings) database.exec(sql);
    } catch (cause) {
      // A failed pool cannot be used again. The next attempt creates another.
      pool = null;
      const locked = cause instanceof DOMException && cause.name === 'NoModificationAllowedError';
      throw locked ? new SqlError('locked', { cause }) : translated(cause);
    }
  }

  function run([sql, values = []]: Statement): SqlRow[] {
    if (!database?.isOpen()) throw new SqlError('closed');
    return database.exec({
      sql,
      bind: [...values],
      rowMode: 'object',
      returnValue: 'resultRows',
    }) as SqlRow[];
  }

  async function handle(request: Request): Promise<SqlRow[][]> {
    switch (request.type) {
      case 'open':
        await open(request.file);
        return [];
      case 'close':
        database?.close();
        database = null;
        return [];
      case 'query':
        return [run(request.statement)];
      case 'batch': {
        run(['begin immediate']);
        try {
          const rows = request.statements.map(run);
          run(['commit']);
          return rows;
        } catch (error) {
          // Some failures already rolled the transaction back.
          const { capi } = await library;
          const isInTransaction = database?.isOpen() && capi.sqlite3_get_autocommit(database) === 0;
          if (isInTransaction) run(['rollback']);
          throw error;
        }
      }
    }
  }

  // Requests are serialized, so that no query runs within a batch.
  let last: Promise<unknown> = waitForExclusiveAccess(scope);
  scope.addEventListener('message', ({ data: request }) => {
    last = last.then(async () => {
      try {
        diskSpace.isMissing = false;
        scope.postMessage({ id: request.id, ok: true, rows: await handle(request) });
      } catch (error) {
        const known = error instanceof SqlError ? error : translated(error);
        const code = diskSpace.isMissing ? 'full' : known.code;
        scope.postMessage({ id: request.id, ok: false, code, message: known.message });
      }
    });
  });
}

function translated(cause: unknown): SqlError {
  const number = cause instanceof Error && 'resultCode' in cause ? Number(cause.resultCode) : null;
  return errorFromSqlite(number, cause);
}
