/** An SQLite value. */
export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;

/**
 * - `closed`: the connection was lost (−1404 in the specification) and can be reopened.
 * - `full`: the platform provides no more disk space.
 * - `constraint`: the statement violates a constraint of the schema.
 * - `locked`: another connection has locked the database.
 * - `failed`: any other failure; `cause` holds SQLite's error.
 */
export type SqlErrorCode = 'closed' | 'full' | 'constraint' | 'locked' | 'failed';

/** The specification's error number for a lost connection. */
export const DATABASE_CLOSED = -1404;

/** The only error a {@link SqlDatabase} rejects with. */
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

/** A statement: SQL, and the values of its placeholders. */
export type Statement = readonly [sql: string, values?: readonly SqlValue[]];

/** The port to SQLite, the same for every platform. Rejects with {@link SqlError} only. */
export interface SqlDatabase {
  /** Runs one statement and returns all its rows. */
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /**
   * Runs statements as one transaction, which is durable once the promise resolves.
   * @returns the rows of each statement
   */
  batch(statements: readonly Statement[]): Promise<SqlRow[][]>;
  close(): Promise<void>;
}

/**
 * Opens a database that reopens a lost connection and retries the statement once, as the specification requires for −1404.
 * Batches are atomic and can therefore be retried.
 */
export async function openReopening(open: () => Promise<SqlDatabase>): Promise<SqlDatabase> {
  let current: Promise<SqlDatabase> | null = null;

  /** Returns the connection that all callers share. A failed attempt to open one is repeated by the next call. */
  function connect(): Promise<SqlDatabase> {
    if (current) return current;
    const opening = open();
    current = opening;
    opening.catch(() => {
      // The callers receive the failure.
      if (current === opening) current = null;
    });
    return opening;
  }

  async function withRetry<T>(run: (database: SqlDatabase) => Promise<T>): Promise<T> {
    const used = connect();
    try {
      return await run(await used);
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== 'closed') throw error;
      // Only the first of several callers reopens the connection; the others wait for it.
      if (current === used) current = null;
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
