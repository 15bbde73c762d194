/** What was waited for took longer than it may. */
class DeadlineFailure extends Error {
  override readonly name = 'DeadlineFailure';
}

/**
 * Waits for `work`, but not longer than `ms`. The work itself goes on: give up on it, not with it.
 * @throws DeadlineFailure
 */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineFailure(`no answer in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
