/** A value that SQLite can store. */
export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;

/**
 * Why a statement failed.
 *
 * - `closed`: the connection was lost (−1404 in the specification) and can be reopened.
 * - `full`: the platform has no more disk space.
 * - `constraint`: the statement violates a schema constraint.
 * - `locked`: another connection has locked the database.
 * - `failed`: any other failure; `cause` holds SQLite's error.
 */
export type SqlErrorCode = 'closed' | 'full' | 'constraint' | 'locked' | 'failed';

/** The specification's error number for a lost connection. */
export const DATABASE_CLOSED = -1404;

/** The error that a {@link SqlDatabase} rejects with. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly code: SqlErrorCode;
  /** {@link DATABASE_CLOSED} if `code` is `closed`. */
  readonly number: number | undefined;

  constructor(code: SqlErrorCode, options?: ErrorOptions) {
    super(options?.cause instanceof Error ? `${code}: ${options.cause.message}` : code, options);
    this.code = code;
    this.number = code === 'closed' ? DATABASE_CLOSED : undefined;
  }
}

/** An SQL statement and the values of its placeholders. */
export type Statement = readonly [sql: string, values?: readonly SqlValue[]];

/** The interface to SQLite, implemented by each platform. Methods reject only with {@link SqlError}. */
export interface SqlDatabase {
  /** Runs one statement and returns all its rows. */
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /**
   * Runs statements as one transaction, which is on disk once the promise resolves.
   * @returns the rows of each statement
   */
  batch(statements: readonly Statement[]): Promise<SqlRow[][]>;
  close(): Promise<void>;
}

/**
 * Opens a database with automatic reconnection: if the connection is lost, it's reopened and the statement is retried
 * once, as the specification requires for −1404. Batches can be retried because they're atomic.
 */
export async function openWithReconnect(open: () => Promise<SqlDatabase>): Promise<SqlDatabase> {
  let current: Promise<SqlDatabase> | null = null;

  /** Returns the shared connection. If it couldn't be opened, the next call tries again. */
  function connect(): Promise<SqlDatabase> {
    if (current) return current;
    const opening = open();
    current = opening;
    opening.catch(() => {
      // The caller handles the failure. Clear the failed connection so that the next call opens a new one.
      if (current === opening) current = null;
    });
    return opening;
  }

  async function withRetry<T>(run: (database: SqlDatabase) => Promise<T>): Promise<T> {
    const attempted = connect();
    try {
      return await run(await attempted);
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== 'closed') throw error;
      // If several calls fail, only the first reopens the connection; the others wait for it.
      if (current === attempted) current = null;
      return run(await connect());
    }
  }

  await connect();

  return {
    query: (sql, values) => withRetry((database) => database.query(sql, values)),
    batch: (statements) => withRetry((database) => database.batch(statements)),
    close: async () => (await current)?.close(),
  };
}
