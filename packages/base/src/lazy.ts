/**
 * Returns a function that loads a value on its first call, and then returns the same promise to every caller. After a
 * failure, which the callers handle, the next call loads it again.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
