/**
 * Asks the browser not to clear this origin's storage when room gets short. Browsers answer without
 * bothering anybody; a refusal is asked again at the next start.
 */
export async function askToPersist(): Promise<{ granted(): boolean }> {
  const granted = (await navigator.storage.persisted()) || (await navigator.storage.persist());
  return { granted: () => granted };
}
