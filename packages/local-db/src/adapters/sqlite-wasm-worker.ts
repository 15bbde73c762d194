import sqlite3InitModule, { type Database, type SAHPoolUtil } from '@sqlite.org/sqlite-wasm';
import { SqlError, type SqlRow, type Statement } from '../database.ts';
import { errorFromSqlite } from './sqlite-errors.ts';
import type { Reply, Request } from './sqlite-wasm-messages.ts';

/** Initial number of files in the pool: the database, its log, and spare ones for temporary files. */
const INITIAL_FILES = 6;

/**
 * `wal` needs exclusive locking here, because OPFS has no shared memory, and the order matters. Full
 * synchronisation: a recorder deletes its copy on the word of this database.
 */
const settings = [
  'pragma locking_mode = exclusive',
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
];

/** The part of a worker's global scope that is used. */
type WorkerScope = {
  /** The folder of the origin-private file system in which the databases lie, in one of their own. */
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
 * Milliseconds that the worker of an earlier page may take to end: it finishes the statement that it is
 * in, after its page has gone.
 */
const ENDING_MS = 10_000;

/**
 * Resolves once no other worker holds the files, or after a timeout. A worker holds its lock until it has really ended,
 * which a lock of its page would not show.
 */
function alone({ navigator: { locks } }: WorkerScope): Promise<void> {
  return new Promise((resolve) => {
    locks
      .request('linnet-database', { signal: AbortSignal.timeout(ENDING_MS) }, () => {
        resolve();
        return new Promise(() => {});
      })
      // Opening them says `locked` then.
      .catch(() => resolve());
  });
}

/** Runs SQLite on OPFS inside a worker and answers the requests of `openSqliteWasm`. */
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
      // The pool remembers its failure; forget it, so that a later try can succeed.
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

  async function answer(request: Request): Promise<SqlRow[][]> {
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
          // Some failures end the transaction; then there is nothing to roll back.
          const { capi } = await library;
          const open = database?.isOpen() && capi.sqlite3_get_autocommit(database) === 0;
          if (open) run(['rollback']);
          throw error;
        }
      }
    }
  }

  // One at a time: no query may run within a batch.
  let last: Promise<unknown> = alone(scope);
  scope.addEventListener('message', ({ data: request }) => {
    last = last.then(async () => {
      try {
        diskSpace.isMissing = false;
        scope.postMessage({ id: request.id, ok: true, rows: await answer(request) });
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
