/**
 * Returns a function that loads a value on the first call and returns the same promise to all callers. If loading
 * fails, the promise rejects, and the next call retries.
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
