import { lazy } from '@linnet/base';
import sqlite3InitModule, { type Database, type PreparedStatement } from '@sqlite.org/sqlite-wasm';
import { SqlError, type SqlRow, type Statement } from '../database.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { errorFromSqlite } from './sqlite-errors.ts';
import type { Reply, Request } from './sqlite-wasm-messages.ts';
import { createStatementRunner } from './wasm-statements.ts';

/** The initial number of files in the pool: the database, its log, and some temporary files. */
const INITIAL_FILES = 6;

/**
 * Connection settings. Exclusive locking must be set before `wal`, which requires it because OPFS has no shared memory.
 * Synchronization is full, because recordings are deleted from the recorder once this database says the phone's copy is
 * verified.
 */
const pragmas = [
  'pragma locking_mode = exclusive',
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
];

/** The subset of a worker's global scope used by this file. */
type WorkerScope = {
  /** The directory in the origin private file system that contains the databases' directory. */
  readonly name: string;
  readonly navigator: { readonly locks: LockManager };
  postMessage(message: Reply): void;
  addEventListener(type: 'message', listener: (event: { data: Request }) => void): void;
  readonly FileSystemSyncAccessHandle: {
    readonly prototype: { write(bytes: Uint8Array, options?: { at: number }): number };
  };
};

/**
 * Detects writes that fail because the disk is full. SQLite's pool reports the same error for every failed write; only
 * the browser's error, which the pool catches, reveals the cause.
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
      if (error instanceof DOMException && error.name === 'QuotaExceededError') {
        diskSpace.isMissing = true;
      }
      throw error;
    }
  };
  return diskSpace;
}

/**
 * How long to wait for an earlier page's worker to end, in milliseconds. After its page is closed, a worker still
 * completes the current statement.
 */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Resolves once no other worker has the files open, or after a timeout. The lock is held by the worker rather than the
 * page, because the worker lives longer.
 */
function waitForExclusiveAccess({ navigator: { locks } }: WorkerScope): Promise<void> {
  return new Promise((resolve) => {
    locks
      .request('linnet-database', { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, () => {
        resolve();
        return new Promise(() => {});
      })
      // If the wait timed out, opening the files will fail with `locked`.
      .catch(() => resolve());
  });
}

/** Runs SQLite on OPFS in a worker and handles requests from `openSqliteWasm`. */
export function serveSqlite(scope: WorkerScope): void {
  const diskSpace = watchDiskSpace(scope);
  const loadLibrary = lazy(() => sqlite3InitModule());
  const loadRunner = lazy(async () => createStatementRunner(await loadLibrary()));
  let database: Database | null = null;
  /** Runs a statement on {@link database}. */
  let runStatement: ((statement: Statement) => SqlRow[]) | null = null;

  const openPool = lazy(async () => {
    const sqlite3 = await loadLibrary();
    const options = {
      name: 'linnet',
      directory: `/${scope.name}/database`,
      initialCapacity: INITIAL_FILES,
      // By default, SQLite deletes all databases in the pool if one file can't be opened, and rejects later attempts.
      preserveOnInitFailure: true,
      forceReinitIfPreviouslyFailed: true,
    };
    const pool = await sqlite3.installOpfsSAHPoolVfs(options);
    // If the pool's creation was interrupted, it may have too few files for a database. Add files only while there is
    // no database, because SQLite could mistake an unfinished new file for it.
    if (pool.getFileCount() === 0) await pool.reserveMinimumCapacity(INITIAL_FILES);
    return pool;
  });

  async function open(file: string): Promise<void> {
    try {
      const { OpfsSAHPoolDb } = await openPool();
      const runPrepared = await loadRunner();
      database?.close();
      const opened = new OpfsSAHPoolDb(file);
      database = opened;
      // Closing the database finalizes the statements.
      const statements = new PreparedStatements<PreparedStatement>(
        (sql) => opened.prepare(sql),
        (statement) => statement.finalize(),
      );
      runStatement = ([sql, values = []]) =>
        statements.use(sql, (statement) => runPrepared(opened, statement, values));
      for (const sql of pragmas) opened.exec(sql);
    } catch (cause) {
      const isLocked = cause instanceof DOMException && cause.name === 'NoModificationAllowedError';
      throw isLocked ? new SqlError('locked', { cause }) : toSqlError(cause);
    }
  }

  function run(statement: Statement): SqlRow[] {
    if (!database?.isOpen() || !runStatement) throw new SqlError('closed');
    return runStatement(statement);
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
          // After some failures, SQLite has already rolled back the transaction.
          const { capi } = await loadLibrary();
          const isInTransaction = database?.isOpen() && capi.sqlite3_get_autocommit(database) === 0;
          if (isInTransaction) run(['rollback']);
          throw error;
        }
      }
    }
  }

  // Load SQLite while the files are still locked. If loading fails, the first request tries again and reports the
  // failure.
  loadLibrary().catch(() => {});
  // Handle requests one at a time, so that no query runs in the middle of a batch.
  let lastRequest: Promise<unknown> = waitForExclusiveAccess(scope);
  scope.addEventListener('message', ({ data: request }) => {
    lastRequest = lastRequest.then(async () => {
      try {
        diskSpace.isMissing = false;
        scope.postMessage({ id: request.id, ok: true, rows: await handle(request) });
      } catch (error) {
        const sqlError = error instanceof SqlError ? error : toSqlError(error);
        const code = diskSpace.isMissing ? 'full' : sqlError.code;
        scope.postMessage({ id: request.id, ok: false, code, message: sqlError.message });
      }
    });
  });
}

function toSqlError(cause: unknown): SqlError {
  const number = cause instanceof Error && 'resultCode' in cause ? Number(cause.resultCode) : null;
  return errorFromSqlite(number, cause);
}
