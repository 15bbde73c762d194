/**
 * Asks the browser not to clear this origin's storage when room gets short. Most answer without bothering anybody;
 * where one asks its owner, nothing waits for that. A refusal is asked again at the next start.
 * @param onError told when the browser cannot say
 */
export function askToPersist(onError: (error: unknown) => void): { granted(): boolean } {
  let granted = false;
  (async () => {
    granted = (await navigator.storage.persisted()) || (await navigator.storage.persist());
  })().catch(onError);
  return { granted: () => granted };
}
