/** What is logged of errors. Messages of the file system have paths, and so titles of recordings and email addresses. */

/** Returns the name of a system error, such as `ENOSPC`; null for any other error. */
export function errnoOf(error: unknown): string | null {
  const isSystemError = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystemError ? String(error.code) : null;
}
