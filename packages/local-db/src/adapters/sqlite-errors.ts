import { SqlError, type SqlErrorCode } from '../database.ts';

/** SQLite's primary result codes that have a meaning of their own here (sqlite.org/rescode.html). */
const meanings: Readonly<Record<number, SqlErrorCode>> = {
  5: 'locked', // SQLITE_BUSY
  6: 'locked', // SQLITE_LOCKED
  13: 'full', // SQLITE_FULL
  19: 'constraint', // SQLITE_CONSTRAINT
  21: 'closed', // SQLITE_MISUSE: a statement on a connection that was closed
};

/** @param number SQLite's (extended) result code, or null when there was none. */
export function errorFromSqlite(number: number | null, cause: unknown): SqlError {
  // Extended codes keep the primary one in the low byte.
  const code = number === null ? undefined : meanings[number & 0xff];
  return new SqlError(code ?? 'failed', { cause });
}
