/**
 * Asks the browser not to evict this origin's storage under disk pressure. Most browsers decide without a
 * prompt; where one asks the user, nothing waits for the answer. After a refusal, the next start asks again.
 * @param onError called when the browser fails to answer
 */
export function askToPersist(onError: (error: unknown) => void): { granted(): boolean } {
  let granted = false;
  (async () => {
    granted = (await navigator.storage.persisted()) || (await navigator.storage.persist());
  })().catch(onError);
  return { granted: () => granted };
}
