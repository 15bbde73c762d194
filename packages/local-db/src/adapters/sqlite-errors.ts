import { SqlError, type SqlErrorCode } from '../database.ts';

/** Maps SQLite's primary result codes to a {@link SqlErrorCode} (sqlite.org/rescode.html). */
const errorCodes: Readonly<Record<number, SqlErrorCode>> = {
  5: 'locked', // SQLITE_BUSY
  6: 'locked', // SQLITE_LOCKED
  13: 'full', // SQLITE_FULL
  19: 'constraint', // SQLITE_CONSTRAINT
  21: 'closed', // SQLITE_MISUSE: a statement on a closed connection
};

/** Creates the error for an SQLite failure. @param number the (extended) result code, or null if unknown */
export function errorFromSqlite(number: number | null, cause: unknown): SqlError {
  // The low byte of an extended code is the primary code.
  const code = number === null ? undefined : errorCodes[number & 0xff];
  return new SqlError(code ?? 'failed', { cause });
}
