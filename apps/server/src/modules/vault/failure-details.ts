/**
 * Extracts details of errors for the log. Error messages of the file system must not be logged: they contain paths, and
 * therefore titles of recordings and email addresses.
 */

/** Returns the code of a system error, such as `ENOSPC`, or null for any other error. */
export function getErrno(error: unknown): string | null {
  const isSystemError = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystemError ? String(error.code) : null;
}

/** Details of an error for the log, without its message. */
export interface FailureDetails {
  /** Class name of the error or its cause. */
  readonly error: string;
  readonly errno?: string;
  /** The first frames of the stack trace. */
  readonly at?: string;
}

const maxFrames = 6;

/** Returns the details of an error, or of its cause, that may be logged. */
export function describeError(error: unknown): FailureDetails {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(source instanceof Error)) return { error: typeof source };
  const errno = getErrno(source);
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
