/** Thrown when an operation times out. */
export class DeadlineFailure extends Error {
  override readonly name = 'DeadlineFailure';
}

/**
 * Waits for `work` for at most `ms` milliseconds. The work itself isn't canceled.
 * @throws DeadlineFailure
 */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineFailure(`no result within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `start` for at most `ms` milliseconds, then cancels it.
 * @param start receives a signal that aborts at the timeout
 * @throws DeadlineFailure
 */
export async function cancelAfter<Result>(
  ms: number,
  start: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController();
  try {
    return await withTimeout(ms, start(stopping.signal));
  } finally {
    // No effect on finished work.
    stopping.abort();
  }
}
