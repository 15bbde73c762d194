/** Details of errors for the log. Messages of the file system have paths, and so titles of recordings and email addresses. */

/** Returns the name of a system error, such as `ENOSPC`; null for any other error. */
export function errnoOf(error: unknown): string | null {
  const isSystemError = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystemError ? String(error.code) : null;
}

/** Details of an error for the log, without any message. */
export interface FailureDetails {
  /** Class of the error, or of its cause. */
  readonly error: string;
  readonly errno?: string;
  /** Where the error was created. */
  readonly at?: string;
}

const maxFrames = 6;

/** Returns what may be logged of an error, or of its cause. */
export function detailsOf(error: unknown): FailureDetails {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(source instanceof Error)) return { error: typeof source };
  const errno = errnoOf(source);
  const { name, message, stack = '' } = source;
  const frames = stack.startsWith(`${name}: ${message}`)
    ? stack.slice(name.length + 2 + message.length).split('\n', maxFrames + 1)
    : [];
  return {
    error: name,
    ...(errno !== null && { errno }),
    ...(frames.length > 1 && {
      at: frames
        .map((frame) => frame.trim())
        .join(' ')
        .trim(),
    }),
  };
}
