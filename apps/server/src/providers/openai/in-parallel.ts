/**
 * Maps items concurrently and returns the results in order. The first failure aborts the remaining work, and is thrown
 * once everything has settled.
 * @param work receives a signal that is aborted by the caller or after a failure
 */
export async function runInParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const failure = new AbortController();
  const combinedSignal = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const results = new Map<number, Result>();
  const queue = items.entries();
  const errors: unknown[] = [];
  const run = async () => {
    for (const [index, item] of queue) {
      if (failure.signal.aborted) return;
      try {
        results.set(index, await work(item, combinedSignal));
      } catch (error) {
        errors.push(error);
        failure.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, run));
  if (errors.length > 0) throw errors[0];
  return items.map((_, index) => results.get(index) as Result);
}
